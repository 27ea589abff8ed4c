# A thin front for people; the build itself is meson.build. `make` alone builds.
JOBS ?= $(shell nproc)

.PHONY: build run check check-arm64 check-vm soak bench trust fuzz install lint docs clean help

build: build/build.ninja
	@ninja -C build -j $(JOBS)

build/build.ninja:
	@scripts/deps --build
	@meson setup build

run:            ## install what is missing, build, run a 10-second job on a scratch file and explain it
	@scripts/run

check:          ## every test that needs no special machine
	@scripts/check

check-arm64:    ## built for arm64, tests under QEMU's user-mode emulation (part of check)
	@scripts/check-arm64

check-vm:       ## tests in a guest with NVMe, zoned and virtio devices (QEMU)
	@scripts/check-vm

soak:           ## tests and fuzzers again and again with new seeds: make soak SECONDS=3600
	@scripts/soak $(SECONDS)

bench:          ## Fathom beside hand-written loops: see bench/README.md
	@scripts/bench $(ARGS)

trust:          ## real disturbers: does the verdict name each? Minutes; wants root and a quiet machine (docs/trust.md)
	@scripts/trust $(ARGS)

fuzz:           ## libFuzzer on every fuzz target: make fuzz SECONDS=600
	@scripts/fuzz $(SECONDS)

install: build
	@meson install -C build --no-rebuild

lint:           ## format, clang-tidy, cppcheck, the tree's own rules
	@scripts/check --only lint

docs: build     ## manual page and option reference
	@if ninja -C build -t targets all | grep -q '^docs:'; then ninja -C build docs; \
	else echo "docs: nothing to generate yet"; fi

clean:
	@rm -rf build build-check build-asan build-tsan build-clang build-fuzz build-bench build-arm64

help:
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 20
