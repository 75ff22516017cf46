#!/bin/bash
# Builds the processes for the image, one stripped file and its names, into the given folder.
# For the build stage of deploy/Dockerfile.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/deploy/lib/build.sh"
cd "$root"

# SwiftPM wants every target's folder, the tests' too: empty ones do.
swift package dump-package | sed -n 's,\\/,/,g; s,.*"path" : "\(Tests/[^"]*\)".*,\1,p' | xargs mkdir -p
packed_relocations
swift build -c release --product latchkey "${release_flags[@]}"
mkdir -p "$1"
strip -o "$1/latchkey" .build/release/latchkey
for process in "${processes[@]}"; do
    # A container runs one process each, so there is nothing to supervise.
    [[ $process == supervisor ]] || ln -s latchkey "$1/$process"
done
