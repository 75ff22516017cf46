#!/bin/bash
# Starts one of the two PostgreSQL servers of deploy/compose.scale.yaml: postgres-node.sh NAME PRIMARY
#
# The server PRIMARY starts as postgres:17 does; the other copies its data at its first start, and follows it. Nothing is promoted
# here: deploy/docs/run/scale.md#two-postgresql-servers.
set -euo pipefail
name=$1 primary=$2
as_postgres=(setpriv --reuid=postgres --regid=postgres --init-groups env HOME=/var/lib/postgresql)
[[ $name == "$primary" ]] || peer=$primary
tls=/var/lib/postgresql/data/tls run=/run/postgresql
mkdir -p "$tls" "$PGDATA"
bash /usr/local/lib/postgres-certificate.sh "$tls" /authority "$name"

# The lines are read at each start. ALTER SYSTEM, which writes into the data, takes precedence over them.
cat >"$run/node.conf" <<END
listen_addresses = '*'
ssl = on
ssl_cert_file = '$tls/server.crt'
ssl_key_file = '$tls/server.key'
hba_file = '$run/hba.conf'
synchronous_standby_names = '*'
wal_keep_size = 512MB
END
cat >"$run/hba.conf" <<'END'
local all all trust
hostssl all all all scram-sha-256
hostssl replication postgres all scram-sha-256
END
chown -R postgres "$tls" "$PGDATA" "$run"
chmod 700 "$PGDATA"

if [[ -z ${peer:-} ]]; then
    # The commits of the first start have no standby to wait for.
    export PGOPTIONS='-c synchronous_commit=local'
    exec docker-entrypoint.sh postgres -c "config_file=$run/node.conf"
fi
(umask 077; echo "*:*:*:*:$(<"$POSTGRES_PASSWORD_FILE")" >"$run/password")
chown postgres "$run/password"
server="host=$peer user=postgres passfile=$run/password sslmode=verify-full sslrootcert=/authority/ca.crt application_name=$name"
echo "primary_conninfo = '$server'" >>"$run/node.conf"
if [[ ! -s $PGDATA/PG_VERSION ]]; then
    until rm -rf "$PGDATA.new" && install -d -o postgres -m 700 "$PGDATA.new" &&
        "${as_postgres[@]}" pg_basebackup --dbname="$server" --pgdata="$PGDATA.new" --checkpoint=fast; do
        echo "$name: cannot copy the data of $peer yet" >&2
        sleep 2
    done
    "${as_postgres[@]}" touch "$PGDATA.new/standby.signal"
    rmdir "$PGDATA"
    mv "$PGDATA.new" "$PGDATA"
elif [[ ! -e $PGDATA/standby.signal ]]; then
    echo "$name: has the data of a primary, and POSTGRES_PRIMARY is $peer. Delete its volume: it copies the data of $peer then." >&2
    sleep 10
    exit 1
fi
exec "${as_postgres[@]}" postgres -c "config_file=$run/node.conf"
