/* SPDX-License-Identifier: GPL-2.0-only */
/* kernels.ptx as a string: see image.h. */
	.section .rodata
	.global	pp_ptx_image
	.type	pp_ptx_image, @object
pp_ptx_image:
	.incbin	"ptx/kernels.ptx"
	.byte	0
	.size	pp_ptx_image, . - pp_ptx_image
	.section .note.GNU-stack, "", @progbits
