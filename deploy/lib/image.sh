#!/bin/bash
# Builds the processes for the image, stripped, into the folder that is named. For the build stage of deploy/Dockerfile.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/deploy/lib/build.sh"
cd "$root"

# SwiftPM wants every target's folder, the tests' too: empty ones do.
swift package dump-package | sed -n 's,\\/,/,g; s,.*"path" : "\(Tests/[^"]*\)".*,\1,p' | xargs mkdir -p
packed_relocations
swift build -c release "${release_flags[@]}"
mkdir -p "$1"
for process in gateway otp-service token-service user-service inbox sample-api latchkeyctl; do
    strip -o "$1/$process" ".build/release/$process"
done
