# Installs PostgreSQL's failover for `deploy/faults scale`. Sourced after packages.sh; expects $root, the folder of Package.swift.

patroni_version=4.0.7

# Debian 12's Patroni 3.0.2 is not used: a primary that was frozen or cut off takes the leader's key in etcd v3 back when it
# returns, and what the new primary acknowledged is lost (https://github.com/patroni/patroni/pull/2689).
install_failover() {
    local folder="$root/.build/peers/patroni"
    install_missing_packages postgresql etcd-server python3-etcd python3-psycopg2 python3-venv nftables iproute2 procps
    [[ ! -e $folder/installed-$patroni_version ]] || return 0
    echo "installing patroni==$patroni_version into $folder" >&2
    /usr/bin/python3 -m venv --system-site-packages "$folder" >&2 &&
        "$folder/bin/pip" install -q "patroni==$patroni_version" >&2 && touch "$folder/installed-$patroni_version" && return
    echo "Patroni could not be installed: pip install patroni==$patroni_version" >&2
    exit 1
}
