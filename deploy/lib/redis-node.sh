#!/bin/bash
# Starts a Redis server or a Sentinel of deploy/compose.scale.yaml: redis-node.sh server NAME [FIRST-MASTER] | sentinel NAME MASTER
#
# Passwords come from the secrets at each start. What a Sentinel has written stays: whom a server follows, and what Sentinels know.
set -euo pipefail
kind=$1 name=$2 master=${3:-}
secret() { head -n 1 "/run/secrets/$1"; }
hash() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
umask 077
config=/data/$kind.conf

if [[ $kind == server ]]; then
    if [[ -e $config ]]; then
        following=$(grep '^replicaof ' "$config" || true)
    else
        following=${master:+replicaof $master 6379}
    fi
    cat >"$config" <<END
port 6379
dir /data
protected-mode no
aclfile /run/secrets/redis_acl
databases 1
maxmemory ${REDIS_MAXMEMORY:-128mb}
maxmemory-policy noeviction
appendonly yes
appendfsync everysec
save ""
hz 100
replica-announce-ip $name
masteruser replica
masterauth $(secret redis_replica)
$following
END
    exec redis-server "$config"
fi

# The accounts: one for the processes, one for the other Sentinels. Neither is in redis_acl, which is of servers.
password=$(secret redis_sentinel)
cat >/data/sentinel.acl <<END
user default off resetpass -@all
user latchkey on #$(hash "$(secret sentinel_password)") -@all +auth +ping +sentinel|get-master-addr-by-name +sentinel|myid +sentinel|replicas +sentinel|sentinels
user sentinel on #$(hash "$password") allchannels +@all
END
[[ -e $config ]] || cat >"$config" <<END
port 26379
dir /data
protected-mode no
aclfile /data/sentinel.acl
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $name
sentinel monitor latchkey $master 6379 2
sentinel down-after-milliseconds latchkey 5000
sentinel failover-timeout latchkey 20000
sentinel auth-user latchkey sentinel
sentinel sentinel-user sentinel
END
sed -i -e '/^sentinel auth-pass /d' -e '/^sentinel sentinel-pass /d' "$config"
printf '%s\n' "sentinel auth-pass latchkey $password" "sentinel sentinel-pass $password" >>"$config"
exec redis-server "$config" --sentinel
