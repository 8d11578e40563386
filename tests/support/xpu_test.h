// SPDX-License-Identifier: Apache-2.0
// cmocka with what it needs before it, for C and C++.
//
// cmocka leaves a failed assertion by longjmp: no object with a destructor may be alive in the
// frame that asserts. Compute in a function that returns plain data, then assert.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
}
#endif

// The value for main to return. Not the number of failures: 77 of them would read as a skip.
#define XPU_RUN_TESTS(tests) (cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0)
