// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules. The image has to be PTX, and a function has to be an entry of it; what
 * runs is the kernel of that name, compiled for the CPU.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"
#include "switches.h"

struct CUfunc_st {
	const struct kernel *kernel;
	CUfunction next;
};

struct CUmod_st {
	char *text;
	CUfunction functions;
	CUmodule next;
};

CUresult module_load(CUcontext context, const char *image, CUmodule *module)
{
	CUmodule m;

	if (switches.noptx)
		return (CUresult)switches.noptx_error;
	if (!strstr(image, ".version ") || !strstr(image, ".target ") || !strstr(image, ".entry "))
		return CUDA_ERROR_INVALID_PTX;
	m = calloc(1, sizeof(*m));
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->text = strdup(image);
	if (!m->text) {
		free(m);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	m->next = context->modules;
	context->modules = m;
	*module = m;
	return CUDA_SUCCESS;
}

static bool valid(CUcontext context, CUmodule module)
{
	for (CUmodule m = context->modules; m; m = m->next)
		if (m == module)
			return true;
	return false;
}

/* Work that was added keeps the kernel, which is always there. */
CUresult module_unload(CUcontext context, CUmodule module)
{
	CUmodule *p = &context->modules;

	if (!valid(context, module))
		return CUDA_ERROR_INVALID_HANDLE;
	while (*p != module)
		p = &(*p)->next;
	*p = module->next;
	while (module->functions) {
		CUfunction f = module->functions;

		module->functions = f->next;
		free(f);
	}
	free(module->text);
	free(module);
	return CUDA_SUCCESS;
}

void modules_unload_all(CUcontext context)
{
	while (context->modules)
		module_unload(context, context->modules);
}

/* Is there ".entry NAME(", with any blanks? */
static bool has_entry(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = text; (p = strstr(p, ".entry ")) != NULL;) {
		p += strlen(".entry ");
		while (isspace((unsigned char)*p))
			p++;
		if (!strncmp(p, name, len) && (p[len] == '(' || isspace((unsigned char)p[len])))
			return true;
	}
	return false;
}

CUresult module_function(CUcontext context, CUmodule module, const char *name,
			 CUfunction *function)
{
	const struct kernel *kernel = kernel_find(name);
	CUfunction f;

	if (!valid(context, module))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!kernel || !has_entry(module->text, name))
		return CUDA_ERROR_NOT_FOUND;
	f = malloc(sizeof(*f));
	if (!f)
		return CUDA_ERROR_OUT_OF_MEMORY;
	f->kernel = kernel;
	f->next = module->functions;
	module->functions = f;
	*function = f;
	return CUDA_SUCCESS;
}

const struct kernel *module_kernel(CUcontext context, CUfunction function)
{
	for (CUmodule m = context->modules; m; m = m->next)
		for (CUfunction f = m->functions; f; f = f->next)
			if (f == function)
				return f->kernel;
	return NULL;
}
