#!/bin/bash
# Builds the processes for the image and for deploy/package, one stripped file and its names, into the given folder.
# With the path of a built `latchkey` as a second argument it builds nothing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/deploy/lib/build.sh"
cd "$root"

binary=${2:-.build/release/latchkey}
if (($# < 2)); then
    # SwiftPM wants every target's folder, the tests' too: empty ones do.
    swift package dump-package | sed -n 's,\\/,/,g; s,.*"path" : "\(Tests/[^"]*\)".*,\1,p' | xargs mkdir -p
    linked_flags
    swift build -c release --product latchkey "${release_flags[@]}"
fi
mkdir -p "$1"
# The compiler's hash of each module and the linker's of them all depend on the folder.
strip --remove-section=.swift_modhash --remove-section=.note.gnu.build-id -o "$1/latchkey" "$binary"
for process in "${processes[@]}"; do
    # A container or a unit runs one process each, so there is nothing to supervise.
    [[ $process == supervisor ]] || ln -s latchkey "$1/$process"
done
