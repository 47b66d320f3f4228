# Needs cargo (Rust 1.89 or later). The tests, `make peers` and `make tables` also need python3, and the tests of the web UI Node.js;
# they install the rest.

.PHONY: run match test test-rust page pages python wheel lint tools bench microbench fuzz peers python-playouts tables soak deny package

# The web UI: play, inspect searches, watch experiments.
run:
	cargo run --release -- serve

# Is MCPS stronger than GRAVE?
match:
	cargo run --release -- match hex:7,opening=b2 mcps grave --playouts 1000 --games 100

# Everything that CI runs.
test: lint test-rust
	$(MAKE) page
	$(MAKE) python

# Only the Rust tests, which need nothing but cargo. An extension module can be linked without Python only on Linux; elsewhere set
# TEST_FLAGS to `--exclude permutree-py`.
test-rust:
	cargo test --workspace --locked $(TEST_FLAGS)

# Builds what `cargo test` builds. A smaller build would choose other features of dependencies and compile all games again.
BUILD := cargo build --workspace --lib --bins --tests --examples --locked

# Tests and type checks of the Python package, built by `cargo test`, in a virtual environment of its own.
TARGET := $(or $(CARGO_TARGET_DIR),target)
python: python/.venv/installed
	$(BUILD)
	cp $(TARGET)/debug/libpermutree_native.so python/src/permutree/_native.abi3.so
	cd python && .venv/bin/python -m mypy
	cd python && .venv/bin/python -m mypy.stubtest permutree._native --ignore-missing-stub
	cd python && .venv/bin/python -m pytest

python/.venv/installed: python/requirements-test.txt
	python3 -m venv python/.venv
	python/.venv/bin/pip install --quiet --requirement $<
	echo "$(CURDIR)/python/src" > $$(python/.venv/bin/python -c 'import site; print(site.getsitepackages()[0])')/permutree.pth
	touch $@

# A wheel for this machine and every Python from 3.9, in target/wheels.
wheel: python/.venv/installed
	cd python && .venv/bin/maturin build --release --out $(abspath $(TARGET))/wheels

lint: tools
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# A minimal toolchain lacks them.
tools:
	@cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@cargo clippy --version >/dev/null 2>&1 || rustup component add clippy

# Playouts per second of every game and agent, and the signature.
bench:
	cargo run --release -- bench

# Benchmarks of the hot loops: random playouts of single games, and whole searches. `make microbench ONLY=hex` runs some of them.
microbench:
	cargo bench --locked -p permutree-games --bench playouts -- $(ONLY)
	cargo bench --locked -p permutree-search --bench search -- $(ONLY)

# Fuzzes every parser for FUZZ_SECONDS, and stops at the first finding: an input in fuzz/artifacts. The corpus is kept in
# fuzz/corpus. Without a sanitizer, stable Rust can build the targets; `FUZZ_SANITIZER=address` needs nightly.
FUZZ_SECONDS ?= 60
FUZZ_SANITIZER ?= none
FUZZ_TARGETS ?= specs moves gdl experiments gtp learned stores
fuzz:
	@cargo fuzz --version >/dev/null 2>&1 || cargo install cargo-fuzz --locked
	set -e; for target in $(FUZZ_TARGETS); do \
		mkdir -p fuzz/corpus/$$target; \
		cargo fuzz run --sanitizer $(FUZZ_SANITIZER) $$target fuzz/corpus/$$target fuzz/seeds/$$target -- \
			-dict=fuzz/dictionary -max_len=2048 -timeout=20 -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1; \
	done

# Compares Permutree with OpenSpiel and other crates; writes docs/results/peers.md.
peers: benches/peers/.venv/installed
	cargo build --release
	cd benches/peers && cargo run --release -- --page ../../docs/results/peers.md

benches/peers/.venv/installed: benches/peers/requirements.txt
	python3 -m venv benches/peers/.venv
	benches/peers/.venv/bin/pip install --quiet --requirement $<
	touch $@

# What a playout costs in games in Python and OpenSpiel's; writes docs/results/python.md. OTHER, a directory with another build of the
# package, is compared; OTHER_NAME is what the page calls it.
OTHER_NAME ?= other
python-playouts: python/.venv/installed
	cargo build --release --locked -p permutree-py
	cp $(TARGET)/release/libpermutree_native.so python/src/permutree/_native.abi3.so
	python/.venv/bin/python benches/python_playouts.py $(OTHER) --name "$(OTHER_NAME)" > docs/results/python.md

# Plays the missing matches of docs/results/mcps-vs-grave.jsonl, which takes hours, and writes the page.
tables:
	cargo build --release
	python3 scripts/mcps_vs_grave.py

# 100,000 random games of every game, checked at every ply; takes a few minutes.
soak:
	cargo run --release -p permutree-zoo --example soak -- 100000 > docs/results/soak.md

# Licences, advisories and sources of the dependencies. Not part of `make test`: cargo-deny takes long to build.
deny:
	@cargo deny --version >/dev/null 2>&1 || cargo install cargo-deny --locked
	cargo deny --workspace check

# Packs every published crate, and builds and checks each from its package alone.
package:
	scripts/package.sh

# Tests the web UI in a browser. Its built files in the repository must match its sources: `make pages` builds them.
page: web/node_modules/.installed
	@command -v chromium >/dev/null || { apt-get update -q && apt-get install -qy --no-install-recommends chromium; }
	$(BUILD)
	cd web && npm run --silent build -- --outDir node_modules/.built --logLevel warn
	diff -r web/node_modules/.built crates/permutree-server/page
	cd web && npm run --silent test

# Builds the files of the web UI that are part of the program.
pages: web/node_modules/.installed
	cd web && npm run --silent build

web/node_modules/.installed: web/package-lock.json
	cd web && npm install --no-save --no-audit --no-fund
	touch $@
