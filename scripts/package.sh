#!/usr/bin/env bash
# Packs every crate that is published into target/package-check/package, and builds each from its package alone.
#
#     scripts/package.sh                # as a release does
#     scripts/package.sh --no-verify    # only packs and checks the lists of files, which takes seconds
#
# Cargo goes through the crates in the order of their dependencies. Each finds those before it in an overlay registry, so none has
# to be published for it (cargo 1.90 or later).
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
# Cargo takes a version for unchangeable: what it has unpacked from the overlay registry, or built from there, would be used again.
rm -rf "$target"/package-check "${CARGO_HOME:-$HOME/.cargo}"/registry/{src,cache}/-*/permutree-*
export CARGO_TARGET_DIR=$target/package-check
cargo package --workspace --exclude permutree-py --exclude permutree-docs --locked "$@"

# Both licences ask to go with every copy.
for package in "$CARGO_TARGET_DIR"/package/permutree-*.crate; do
	for licence in LICENSE-MIT LICENSE-APACHE; do
		if ! tar tzf "$package" | grep "^[^/]*/$licence$" >/dev/null; then
			echo "$(basename "$package") has no $licence" >&2
			exit 1
		fi
	done
done
