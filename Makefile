# SPDX-License-Identifier: GPL-2.0-only
#
#	make			module for the running kernel (or KDIR=) and helper
#	make module | user	one of them
#	make install		both (DESTDIR=, PREFIX=/usr)
#	make demo		the problem and the cure, in virtual machines
#	make check		every test
#	make check-long		those that repeat something, 20 times as often
#	make check-debug	every scenario on a kernel with KASAN, lockdep, ...
#	make check-gpu		the kernels and the speed of checking, on one real GPU
#	make bench		what switching and windows cost, beside a script that switches
#	make clean

KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr

# Debian's headers bring the kernel's BTF but not pahole, which adds a module's:
# the build would fail for want of something that nothing here uses.
NO_BTF := CONFIG_DEBUG_INFO_BTF_MODULES=

.PHONY: all module user install install-module install-user demo check check-long check-debug \
	check-gpu bench clean

all: module user

module:
	@test -e "$(KDIR)/Makefile" || { \
		echo "no kernel headers in $(KDIR): install them" \
		     "(Debian: linux-headers-$$(uname -r)) or give KDIR=" >&2; exit 1; }
	$(MAKE) -C "$(KDIR)" M="$(CURDIR)" $(NO_BTF) modules

user:
	$(MAKE) -C user

install: install-module install-user

install-module: module
	$(MAKE) -C "$(KDIR)" M="$(CURDIR)" $(NO_BTF) modules_install \
		$(if $(DESTDIR),INSTALL_MOD_PATH="$(DESTDIR)")

install-user: user
	$(MAKE) -C user install DESTDIR="$(DESTDIR)" prefix="$(PREFIX)"

demo:
	@tests/demo.sh

check:
	@tests/check.sh

check-long:
	@tests/check.sh --long

check-gpu: user
	@tests/gpu/run.sh

bench:
	@tests/bench/bench.sh

check-debug:
	@tests/lab/setup.sh
	@tests/lab/debug_kernel.sh
	@tests/lab/debug.sh

clean:
	$(MAKE) -C user clean
	rm -rf build .tmp_versions Module.symvers modules.order
	find . -path ./.git -prune -o \( -name '*.o' -o -name '*.ko' -o -name '*.mod' \
		-o -name '*.mod.c' -o -name '.*.cmd' \) -type f -print | xargs -r rm -f
