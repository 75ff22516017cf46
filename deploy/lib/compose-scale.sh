# Sourced by deploy/test-compose --scale: two of everything, of which each container is killed in turn, and a promotion.
export COMPOSE_FILE=docker-compose.yml:deploy/compose.postgres.yaml:deploy/compose.scale.yaml:deploy/compose.gateways.yaml
export LATCHKEY_TLS_PORT
LATCHKEY_TLS_PORT=$(free_port 18443)
for name in database_admin_password token_database_password user_database_password sentinel_password; do
    (umask 077; openssl rand -hex 32 >"$LATCHKEY_SECRETS_DIR/$name"; chmod 444 "$LATCHKEY_SECRETS_DIR/$name")
done

# sql SERVER STATEMENT: runs a statement as the owner.
sql() { "$engine" exec "$(containers "$1")" psql -qAt -U postgres -c "$2"; }
# await_lines SECONDS WHAT: prints after how many seconds the README's lines work.
await_lines() {
    local start=$SECONDS
    until (readme_lines "$2") >/dev/null 2>"$work/why"; do
        ((SECONDS - start < $1)) || { cat "$work/why" >&2; fail "the lines do not work $1 s after $2"; }
        sleep 0.5
    done
    passed "$2: the lines work after $((SECONDS - start)) s"
}

"${compose[@]}" up -d >"$work/up.log" 2>&1 || { cat "$work/up.log" >&2; fail "up"; }
await_names
await_lines 120 "the start"
[[ $(sql postgres 'SELECT sync_state FROM pg_stat_replication') == sync ]] || fail "no synchronous standby"
for service in gateway otp token user sentinel-1 sentinel-2 sentinel-3 redis-2 redis-3 redis proxy postgres; do
    id=$(containers "$service" | sed -n 1p)
    "$engine" kill "$id" >/dev/null
    case $service in
        # Single, and back by itself on a host with restarts.
        proxy | postgres) "$engine" start "$id" >/dev/null ;;
    esac
    await_lines 40 "$service was killed"
    "$engine" start "$id" >/dev/null
    await_lines 40 "$service was started"
done

"$engine" kill "$(containers postgres-2)" >/dev/null
sql postgres "ALTER SYSTEM SET synchronous_standby_names = ''"
sql postgres 'SELECT pg_reload_conf()' >/dev/null
await_lines 30 "postgres-2 was killed, and commits no longer wait for it"
"${compose[@]}" up -d --no-recreate postgres-2 >>"$work/up.log" 2>&1 || true
sql postgres 'ALTER SYSTEM RESET synchronous_standby_names'
sql postgres 'SELECT pg_reload_conf()' >/dev/null
await_lines 40 "commits wait for postgres-2 again"

"$engine" stop -t 60 "$(containers postgres)" >/dev/null
sql postgres-2 "ALTER SYSTEM SET synchronous_standby_names = ''"
sql postgres-2 'SELECT pg_promote()' >/dev/null
await_lines 30 "postgres-2 was promoted"
