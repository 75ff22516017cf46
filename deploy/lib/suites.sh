# Installs and builds what tests need. Sourced after packages.sh; expects $root.

# What the packages are for: a browser tests the inbox' page; tokens and signatures are compared with PyJWT; strace kills
# token-service during its writes; clients are written in TypeScript, with axios and React; documents print curl lines for bash
# and zsh; nginx is the app's API behind an attacked gateway; users are imported from PostgreSQL, which is a storage
# engine too; copies go to sshd, and botocore checks their signatures for S3; pebble issues certificates by ACME. A client from PyPI
# has a virtual environment.
test_packages=(chromium python3-jwt python3-cryptography strace zsh node-typescript node-axios node-react
    node-react-test-renderer curl sqlite3 jq postgresql python3-venv python3-yaml openssh-server python3-botocore pebble)

# suites_of FILTER: prints the test targets with a suite or test that the pattern matches, or nothing if that is unknown.
suites_of() {
    local filter=${1#^} folder name
    for folder in "$root"/Tests/*Tests; do
        name=${folder##*/}
        if [[ $filter == "$name" || $filter == "$name"[./]* ]]; then
            echo "$name"
            return
        fi
    done
    # Names of suites and tests are in the sources as they are in the pattern.
    for folder in "$root"/Tests/*Tests; do
        ! grep -rqsE --include='*.swift' -- "$filter" "$folder" 2>/dev/null || echo "${folder##*/}"
    done
}

# packages_of SUITE: prints the packages that a suite needs besides those of the build.
packages_of() {
    case $1 in
    InboxTests | GatewayTests) echo chromium ;;
    CrossCheckTests) echo python3-jwt python3-cryptography ;;
    CopyTargetsTests) echo openssh-server python3-botocore ;;
    ControlTests | PostgreSQLTests | StorageTests | TokenTests | UserTests) echo postgresql ;;
    IntegrationTests | FaultTests | BenchTests) echo "${test_packages[*]}" ;;
    esac
}

# install_for SUITE...: installs what these suites need; without a suite, what all need.
install_for() {
    local suite wanted=() more
    (($#)) || wanted=("${test_packages[@]}")
    for suite in "$@"; do read -ra more < <(packages_of "$suite") || true; wanted+=("${more[@]}"); done
    [[ " ${wanted[*]} " != *" strace "* ]] || . "$root/deploy/lib/peers.sh"
    install_missing_packages "${wanted[@]}"
}

# build_tests SUITE...: builds these test targets, and the processes if one of them starts any; without a suite, everything.
build_tests() {
    if (($#)); then
        local IFS=,
        export LATCHKEY_TEST_SUITES="$*"
    fi
    case " $* " in
    '  ' | *IntegrationTests* | *FaultTests* | *BenchTests*) swift build --build-tests ;;
    *) swift build --product LatchkeyPackageTests ;;
    esac
}
