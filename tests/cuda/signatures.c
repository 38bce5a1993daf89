// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compiles only where the real cuda.h declares what user/lib/cuda_api.h says: the
 * same types, values and functions. Enumerations are int in ours, the one
 * difference: they have the same size and are passed in the same way.
 */
/* The real names too, not only what macros make of the older ones. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#define PP_CUDA_LISTS_ONLY
/* By its path: user/lib has a cuda.h of its own. */
#include "../../user/lib/cuda_api.h"

/* An enumeration is compatible with unsigned int for the compiler, ours is int. */
#define SAME_TYPE(type, name) \
	_Static_assert(sizeof(type) == sizeof(name), "size of " #name); \
	_Static_assert(__builtin_types_compatible_p(type, name) || \
		       (__builtin_types_compatible_p(type, int) && \
			__builtin_types_compatible_p(unsigned int, name)), #name);
PP_CUDA_TYPES(SAME_TYPE)

#define SAME_VALUE(name, value) _Static_assert((int)(name) == (value), #name);
PP_CUDA_RESULTS(SAME_VALUE)
PP_CUDA_CONSTANTS(SAME_VALUE)
_Static_assert(PP_CU_MEMHOSTALLOC_PORTABLE == CU_MEMHOSTALLOC_PORTABLE, "portable");
_Static_assert(PP_CU_MEMHOSTALLOC_DEVICEMAP == CU_MEMHOSTALLOC_DEVICEMAP, "device map");

#define SAME_FUNCTION(name, parameters) \
	_Static_assert(__builtin_types_compatible_p(__typeof__(name), CUresult parameters), #name);
PP_CUDA_API(SAME_FUNCTION)
