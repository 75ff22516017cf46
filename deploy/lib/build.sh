# Builds the processes. Sourced; expects $root, the folder of Package.swift.

require_swift() {
    command -v swift >/dev/null || { echo "Swift 6.3 is not installed: https://www.swift.org/install/linux/" >&2; exit 1; }
}

# How releases are linked, here and in the image: one file with the parts of Swift's libraries that are used, so that a
# process starts quickly and stays small. No library looks for symbols in it, and a table of them would be 5 MB. The path of the
# folder is in no byte of it, neither by debug information nor by the messages of C++, so that each folder makes the same file.
release_flags=(-debug-info-format none -Xcc "-ffile-prefix-map=$root=." -Xcxx "-ffile-prefix-map=$root=."
    --static-swift-stdlib -Xswiftc -Xclang-linker -Xswiftc -fuse-ld=lld -Xlinker --no-export-dynamic)

# linked_flags: adds to these what depends on the machine.
linked_flags() {
    local version library folder="$root/.build/static-libraries"
    version=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed -n 's/^glibc 2\.//p')
    # Packed relocations save 3 MB in each process; older loaders do not support them.
    ((${version:-0} < 36)) || release_flags+=(-Xlinker -z -Xlinker pack-relative-relocs)
    # Each distribution has another version of hiredis, which is small, so it is linked in where the system has it as an archive.
    library=$(cc -print-file-name=libhiredis.a 2>/dev/null || clang -print-file-name=libhiredis.a 2>/dev/null) || true
    if [[ $library == /* ]]; then
        mkdir -p "$folder"
        ln -sf "$library" "$folder/libhiredis.a"
        release_flags+=(-Xswiftc -Xclang-linker -Xswiftc "-L$folder")
    fi
}

# The processes, by the names under which `latchkey` is called: one file contains them all.
processes=(gateway otp-service token-service user-service console inbox sample-api latchkeyctl supervisor)

# link_processes CONFIGURATION: creates a folder that contains the built file under each of these names, and prints its path.
link_processes() {
    local folder="$root/.build/processes-$1" name
    mkdir -p "$folder"
    # The file itself, not a link to it: the supervisor looks for the others in the folder of its own file.
    ln -f "$root/.build/$1/latchkey" "$folder/latchkey" || cp -f "$root/.build/$1/latchkey" "$folder/latchkey"
    for name in "${processes[@]}"; do ln -sf latchkey "$folder/$name"; done
    # Built on request; not part of a release.
    [[ ! -x $root/.build/$1/latchkey-fakes ]] || ln -sf "../$1/latchkey-fakes" "$folder/latchkey-fakes"
    echo "$folder"
}

# build_if_changed CONFIGURATION PRODUCT: builds the product unless nothing has changed since the last build.
build_if_changed() {
    local configuration=$1 product=$2 binary="$root/.build/$1/$2" stamp="$root/.build/$2-$1.stamp" flags=()
    local sources=("$root"/{Package.swift,Services,Shared})
    [[ $product != latchkey-bench ]] || sources+=("$root"/Tests/{Bench,Support})
    if [[ -x $binary && -e $stamp ]] && [[ -z $(find "${sources[@]}" -newer "$stamp" -print -quit) ]]; then
        return
    fi
    require_swift
    if [[ $configuration == release ]]; then
        linked_flags
        flags=("${release_flags[@]}")
    fi
    echo "building $product ($configuration): 7 to 20 minutes on two cores the first time; [done/all] shows the progress" >&2
    mkdir -p "$root/.build"
    touch "$stamp.new"
    swift build --package-path "$root" -c "$configuration" --product "$product" "${flags[@]}" >&2
    # The time before the build, so that changes during it are newer.
    mv "$stamp.new" "$stamp"
}
