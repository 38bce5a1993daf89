// SPDX-License-Identifier: GPL-2.0-only
/*
 * vfio: what a virtual machine monitor does with a device.
 *
 *   vfio BDF COMMAND...
 *
 * Opens the group and the device, attaches them to a domain of VFIO's own, maps a
 * page of this program at IOVA 0x100000, runs COMMAND, and lets go. Ends with the
 * command's exit status; with 125 when one of the steps before failed.
 */
#include <fcntl.h>
#include <libgen.h>
#include <linux/vfio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE	4096UL
#define IOVA	0x100000

static void die(const char *what)
{
	fprintf(stderr, "vfio: %s: %m\n", what);
	exit(125);
}

static int open_group(const char *bdf)
{
	char path[256], link[256];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/iommu_group", bdf);
	n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		die(path);
	link[n] = '\0';
	snprintf(path, sizeof(path), "/dev/vfio/%s", basename(link));
	fd = open(path, O_RDWR);
	if (fd < 0)
		die(path);
	return fd;
}

int main(int argc, char **argv)
{
	struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.iova = IOVA,
		.size = PAGE,
	};
	int container, group, device, status;
	pid_t pid;
	void *mem;

	if (argc < 3) {
		fprintf(stderr, "usage: vfio BDF COMMAND...\n");
		return 125;
	}
	container = open("/dev/vfio/vfio", O_RDWR);
	if (container < 0)
		die("/dev/vfio/vfio");
	group = open_group(argv[1]);
	if (ioctl(group, VFIO_GROUP_SET_CONTAINER, &container))
		die("VFIO_GROUP_SET_CONTAINER");
	if (ioctl(container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		die("VFIO_SET_IOMMU");
	device = ioctl(group, VFIO_GROUP_GET_DEVICE_FD, argv[1]);
	if (device < 0)
		die("VFIO_GROUP_GET_DEVICE_FD");
	mem = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED)
		die("mmap");
	map.vaddr = (uintptr_t)mem;
	if (ioctl(container, VFIO_IOMMU_MAP_DMA, &map))
		die("VFIO_IOMMU_MAP_DMA");
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		die(argv[2]);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		die("the command");
	return WEXITSTATUS(status);
}
