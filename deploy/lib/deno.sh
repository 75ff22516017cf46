# Deno: the newest TypeScript compiler and a linter. Sourced; expects $root, the folder of Package.swift.

deno_version=2.9.8

# Sets $deno to Deno's executable; installs it into .build/peers the first time. If it cannot be installed, $deno is empty.
find_deno() {
    local folder="$root/.build/peers/deno"
    if [[ ! -e $folder/installed-$deno_version ]]; then
        echo "installing deno $deno_version into $folder" >&2
        python3 -m venv "$folder" >&2 && "$folder/bin/pip" install -q "deno==$deno_version" >&2 &&
            touch "$folder/installed-$deno_version" || true
    fi
    deno="$folder/bin/deno"
    export DENO_DIR="$folder/cache" DENO_NO_UPDATE_CHECK=1 NO_COLOR=1
    [[ -x $deno ]] || { echo "deno cannot be installed, so the newest TypeScript compiler checks nothing" >&2; deno=''; }
}
