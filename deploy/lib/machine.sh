# A small machine of its own for tests: a fresh root of a distribution, in which systemd runs. Sourced; expects $root and $work, and
# runs as root. The machine has no network, 1 GB of memory, and the host's kernel.

machine=$work/machine machine_group=/sys/fs/cgroup/latchkey-test-$$
[[ ! -d /sys/fs/cgroup/memory ]] || machine_group=/sys/fs/cgroup/memory/latchkey-test-$$

# make_root SUITE MIRROR COMPONENTS: unpacks a fresh root, which is made once and kept in .build/roots.
make_root() {
    local kept=$root/.build/roots/$1.tar made=$work/made script=() keys=()
    # debootstrap may be older than the release, and Debian has no keys of Ubuntu.
    if [[ $2 == *ubuntu* ]]; then
        script=(gutsy)
        [[ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ]] || keys=(--no-check-gpg)
    fi
    if [[ ! -e $kept ]]; then
        mkdir -p "$root/.build/roots"
        debootstrap "${keys[@]}" --variant=minbase --components="$3" --include=systemd,systemd-sysv,dbus,curl,ca-certificates,debconf \
            "$1" "$made" "$2" "${script[@]}" >&2
        tar -C "$made" -cf "$kept.new" .
        mv "$kept.new" "$kept"
        rm -rf "$made"
    fi
    mkdir -p "$machine"
    tar -C "$machine" -xf "$kept"
}

# fetch FILE: downloads what a package needs, with the host's network, so that the machine can install it without.
fetch() {
    cp /etc/resolv.conf "$machine/etc/resolv.conf"
    cp "$1" "$machine/root/"
    chroot "$machine" apt-get update -q >&2
    chroot "$machine" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --download-only "/root/$(basename "$1")" >&2
}

# boot: starts systemd and waits until it has started everything.
boot() {
    local limit
    mkdir -p "$machine_group"
    for limit in memory.max memory.limit_in_bytes; do
        [[ ! -e $machine_group/$limit ]] || echo $((1 << 30)) >"$machine_group/$limit"
    done
    (
        echo "$BASHPID" >"$machine_group/cgroup.procs"
        exec unshare --mount --uts --ipc --net --cgroup --pid --fork --kill-child bash -euc '
            mount --make-rprivate /
            mount --bind "$1" "$1"
            cd "$1"
            mount -t proc proc proc
            mount -t sysfs -o ro sysfs sys
            mount -t cgroup2 cgroup2 sys/fs/cgroup
            mount -t tmpfs -o mode=755 tmpfs dev
            mkdir dev/pts dev/shm
            for device in null zero full random urandom tty; do touch dev/$device && mount --bind /dev/$device dev/$device; done
            mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
            ln -s pts/ptmx dev/ptmx
            hostname machine
            mkdir -p .host
            pivot_root . .host
            umount -l .host
            # As in other containers, so that units see the credentials that systemd mounts for them.
            mount --make-rshared /
            exec env -i container=other PATH=/usr/sbin:/usr/bin /lib/systemd/systemd --log-target=journal' - "$machine"
    ) &
    machine_process=$!
    machine_init=''
    local tries
    for ((tries = 0; tries < 300; tries++)); do
        machine_init=$(pgrep -P "$machine_process" | head -n 1) || true
        if [[ -n $machine_init ]]; then
            case $(inside systemctl is-system-running 2>/dev/null || true) in running | degraded) return ;; esac
        fi
        sleep 0.2
    done
    echo "the machine did not start" >&2
    return 1
}

# inside COMMAND...: runs a command in the machine.
inside() {
    nsenter -t "$machine_init" -m -u -i -n -p -C env -i -C / HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

# halt: stops the machine in order.
halt() {
    inside systemctl poweroff >/dev/null 2>&1 || true
    wait "$machine_process" || true
    machine_init=''
}

# remove_machine: ends what runs, and removes its files.
remove_machine() {
    [[ -z ${machine_init:-} ]] || kill -KILL "$machine_init" 2>/dev/null || true
    [[ -z ${machine_process:-} ]] || wait "$machine_process" 2>/dev/null || true
    rmdir "$machine_group" 2>/dev/null || true
    rm -rf "$work"
}
