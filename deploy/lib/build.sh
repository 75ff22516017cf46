# Builds the processes. Sourced; expects $root, the folder of Package.swift.

require_swift() {
    command -v swift >/dev/null || { echo "Swift 6.3 is not installed: https://www.swift.org/install/linux/" >&2; exit 1; }
}

# How releases are linked, here and in the image: one file with the parts of Swift's libraries that are used, so that a
# process starts quickly and stays small.
release_flags=(--static-swift-stdlib -Xswiftc -Xclang-linker -Xswiftc -fuse-ld=lld)

# Relocations in their packed form save 3 MB in each process; older loaders do not know it.
packed_relocations() {
    local version
    version=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed -n 's/^glibc 2\.//p')
    ((${version:-0} >= 36)) && release_flags+=(-Xlinker -z -Xlinker pack-relative-relocs)
    return 0
}

# build_if_changed CONFIGURATION [ARGUMENT...]: runs swift build unless nothing has changed since it last succeeded.
build_if_changed() {
    local configuration=$1 binaries="$root/.build/$1" stamp="$root/.build/latchkey-$1.stamp"
    local sources=("$root"/{Package.swift,Services,Shared,Tests/Bench,Tests/Support})
    shift
    if [[ -x $binaries/supervisor && -e $stamp ]] &&
        [[ -z $(find "${sources[@]}" -newer "$stamp" -print -quit) ]]; then
        return
    fi
    require_swift
    if [[ $configuration == release ]]; then
        packed_relocations
        set -- "${release_flags[@]}" "$@"
    fi
    echo "building ($configuration); the first time takes some minutes" >&2
    mkdir -p "$root/.build"
    touch "$stamp.new"
    swift build --package-path "$root" -c "$configuration" "$@" >&2
    # The time before the build: what was changed during it is newer.
    mv "$stamp.new" "$stamp"
}
