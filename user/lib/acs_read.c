// SPDX-License-Identifier: GPL-2.0-only
/* The bridges above a device and their ACS bits, through libpci. */
#include <fcntl.h>
#include <pci/pci.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "acs_read.h"
#include "sysfs.h"

static jmp_buf failed;

/* libpci wants a function that does not return; its own ends the process. */
static void __attribute__((noreturn)) pci_failed(char *msg, ...)
{
	(void)msg;
	longjmp(failed, 1);
}

static void pci_silent(char *msg, ...)
{
	(void)msg;
}

/*
 * Without privilege the kernel shows the first 64 bytes only, in which there is
 * no capability; to libpci that looks like a device that has none.
 */
static bool readable(struct pp_bdf bdf)
{
	char path[128], text[PP_BDF_LEN], byte;
	bool ok;
	int fd;

	snprintf(path, sizeof(path), PP_SYSFS_DEVICES "/%s/config", pp_bdf_text(bdf, text));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ok = pread(fd, &byte, 1, 64) == 1;
	close(fd);
	return ok;
}

static enum pp_port_type type_of(struct pci_dev *dev)
{
	struct pci_cap *express = pci_find_cap(dev, PCI_CAP_ID_EXP, PCI_CAP_NORMAL);

	if (!express)
		return PP_PORT_CONVENTIONAL;
	switch ((pci_read_word(dev, express->addr + PCI_EXP_FLAGS) & PCI_EXP_FLAGS_TYPE) >> 4) {
	case PCI_EXP_TYPE_ROOT_PORT:
		return PP_PORT_ROOT;
	case PCI_EXP_TYPE_UPSTREAM:
		return PP_PORT_UPSTREAM;
	case PCI_EXP_TYPE_DOWNSTREAM:
		return PP_PORT_DOWNSTREAM;
	case PCI_EXP_TYPE_PCI_BRIDGE:
	case PCI_EXP_TYPE_PCIE_BRIDGE:
		return PP_PORT_CONVENTIONAL;
	}
	return PP_PORT_UNKNOWN;
}

static void read_acs(struct pci_dev *dev, struct pp_port *port)
{
	struct pci_cap *acs = pci_find_cap(dev, PCI_EXT_CAP_ID_ACS, PCI_CAP_EXTENDED);
	unsigned int control;

	port->request = PP_REDIRECT_NO_ACS;
	port->completion = PP_REDIRECT_NO_ACS;
	if (!acs)
		return;
	control = pci_read_word(dev, acs->addr + PCI_ACS_CTRL);
	port->request = control & PCI_ACS_CTRL_REQ_RED ? PP_REDIRECT_ON : PP_REDIRECT_OFF;
	port->completion = control & PCI_ACS_CTRL_CMPLT_RED ? PP_REDIRECT_ON : PP_REDIRECT_OFF;
}

static void read_ports(struct pci_access *access, struct pp_chain *chain)
{
	for (size_t i = 0; i < chain->n; i++) {
		struct pp_port *port = &chain->ports[i];
		struct pci_dev *dev;

		if (!readable(port->bdf))
			continue;
		dev = pci_get_dev(access, (int)port->bdf.domain, port->bdf.rid >> 8,
				  port->bdf.rid >> 3 & 0x1f, port->bdf.rid & 7);
		pci_fill_info(dev, PCI_FILL_CAPS | PCI_FILL_EXT_CAPS);
		/* What libpci could not read, or a device that is gone, is all ones. */
		if (pci_read_word(dev, PCI_VENDOR_ID) != 0xffff) {
			port->type = type_of(dev);
			read_acs(dev, port);
		}
		pci_free_dev(dev);
	}
}

/*
 * From the link ".../pci0000:00/0000:00:01.0/0000:01:00.0": the last host bridge
 * counts, since VMD has one below a device of another.
 */
static void read_chain(struct pp_bdf device, struct pp_chain *chain)
{
	char path[128], text[PP_BDF_LEN], target[1024], *part, *rest;
	struct pp_bdf bdf;

	snprintf(path, sizeof(path), PP_SYSFS_DEVICES "/%s", pp_bdf_text(device, text));
	if (!pp_sysfs_link(path, target, sizeof(target)))
		return;
	for (part = strtok_r(target, "/", &rest); part; part = strtok_r(NULL, "/", &rest)) {
		if (!strncmp(part, "pci", 3) && strchr(part, ':')) {
			snprintf(chain->root, sizeof(chain->root), "%.23s", part);
			chain->n = 0;
		} else if (pp_bdf_parse(part, &bdf) && !pp_bdf_equal(bdf, device) &&
			   chain->n < PP_CHAIN_MAX) {
			chain->ports[chain->n++].bdf = bdf;
		}
	}
}

/** pp_acs_read - the chain of @device; what cannot be read is unknown in it */
void pp_acs_read(struct pp_bdf device, struct pp_chain *chain)
{
	struct pci_access *access;

	memset(chain, 0, sizeof(*chain));
	chain->device = device;
	read_chain(device, chain);
	if (!chain->n)
		return;
	access = pci_alloc();
	if (!access)
		return;
	access->method = PCI_ACCESS_SYS_BUS_PCI;
	access->error = pci_failed;
	access->warning = pci_silent;
	access->debug = pci_silent;
	/* What could be read until then stays, and libpci's memory is lost. */
	if (setjmp(failed))
		return;
	pci_init(access);
	read_ports(access, chain);
	pci_cleanup(access);
}
