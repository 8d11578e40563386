// SPDX-License-Identifier: Apache-2.0
// User objects: something of the program that must live as long as graphs may use it.
//
// A user object is a pointer with a function that ends it and a number of references. References
// are the program's own or those of graphs; copies of a graph and its executables have their own,
// as many as the graph had. When the last one is gone, the function is called, once, on a thread of
// the library. An executable that is destroyed while it runs keeps its references until that is
// over.
//
// Threads: calls on one object may overlap; calls that name a graph follow the graph's rule.
#pragma once

#include <xpugraph/error.h>
#include <xpugraph/graph.h>
#include <xpugraph/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xpuUserObject_st* xpuUserObject_t;

/// Flags of a user object.
/// Since 0.1.
typedef enum xpuUserObjectFlags XPU_ENUM {
  xpuUserObjectNoDestructorSync = 1  ///< no call waits for the function; must be given
} xpuUserObjectFlags;

/// Flags of xpuGraphRetainUserObject().
/// Since 0.1.
typedef enum xpuUserObjectRetainFlags XPU_ENUM {
  xpuGraphUserObjectMove = 1  ///< the graph's references are taken from those of the program
} xpuUserObjectRetainFlags;

/// Makes a user object.
/// @param[out] object_out  its handle, dead once the last reference is gone.
/// @param[in] ptr  passed to `destroy`; may be NULL.
/// @param[in] destroy  called with `ptr` after the last reference is gone; it must not call this
///     library, and nothing waits for it, so a program that ends may end before it.
/// @param[in] initialRefcount  references of the program, 1 to INT_MAX.
/// @param[in] flags  xpuUserObjectNoDestructorSync.
/// Errors: xpuErrorInvalidValue; `destroy` is not called then. Since 0.1.
XPU_API xpuError_t xpuUserObjectCreate(xpuUserObject_t* object_out, void* ptr, xpuHostFn_t destroy,
                                       unsigned int initialRefcount, unsigned int flags);

/// Gives the program more references.
/// @param[in] count  1 to INT_MAX.
/// Errors: xpuErrorInvalidValue for an object that is gone. Since 0.1.
XPU_API xpuError_t xpuUserObjectRetain(xpuUserObject_t object, unsigned int count);

/// Gives references of the program back.
/// @param[in] count  1 to INT_MAX.
/// Errors: xpuErrorInvalidValue for more than the program has, and for an object that is gone.
/// Since 0.1.
XPU_API xpuError_t xpuUserObjectRelease(xpuUserObject_t object, unsigned int count);

/// Gives a graph references. Executables made before do not get them.
/// @param[in] count  1 to INT_MAX.
/// @param[in] flags  0, or xpuGraphUserObjectMove.
/// Errors: xpuErrorInvalidValue for an object that is gone, and for moving more references than the
/// program has. Since 0.1.
XPU_API xpuError_t xpuGraphRetainUserObject(xpuGraph_t graph, xpuUserObject_t object,
                                            unsigned int count, unsigned int flags);

/// Takes references from a graph. Executables and copies made of it keep theirs.
/// @param[in] count  1 to INT_MAX.
/// Errors: xpuErrorInvalidValue for more than the graph has, and for an object that is gone.
/// Since 0.1.
XPU_API xpuError_t xpuGraphReleaseUserObject(xpuGraph_t graph, xpuUserObject_t object,
                                             unsigned int count);

#ifdef __cplusplus
}
#endif
