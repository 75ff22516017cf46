# Installs missing system packages, and the packages in the arguments. Sourced; a second call needs no network.

packages=(libsqlite3-dev libssl-dev libhiredis-dev libargon2-dev libcrypt-dev libcurl4-openssl-dev libidn2-0 libpq-dev libyaml-dev redis-server)

install_missing_packages() {
    local missing=() package
    if ! command -v dpkg-query >/dev/null; then
        echo "this is not Debian or Ubuntu: install the equivalents of ${packages[*]}" >&2
        return
    fi
    for package in "${packages[@]}" "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    echo "installing ${missing[*]}" >&2
    install_packages "${missing[@]}" && return
    echo "these packages could not be installed. Run: apt-get update && apt-get install ${missing[*]}" >&2
    exit 1
}

# install_optional_package NAME CONSEQUENCE: installs a package that a start does not need.
install_optional_package() {
    command -v "$1" >/dev/null && return
    command -v dpkg-query >/dev/null && install_packages "$1" && return
    echo "$1 could not be installed, so $2" >&2
}

install_packages() {
    local as_root=()
    ((EUID == 0)) || as_root=(sudo)
    command -v "${as_root[0]:-env}" >/dev/null || return
    "${as_root[@]}" apt-get update -q >&2 || return
    # Redis' package would start a server of its own, which is not needed here.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
        apt-get install -qy --no-install-recommends "$@" >&2
}
