// SPDX-License-Identifier: Apache-2.0
// A shared library that is no Level Zero driver.
int no_driver_here(void);
int no_driver_here(void) { return 0; }
