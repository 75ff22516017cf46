# Sourced by deploy/test-compose --scale. Clients sign in, call the API, refresh and sign out all the time. Meanwhile each container is
# killed in turn, and the commands of the pages roll to another image, promote the second PostgreSQL and turn on internal TLS.
export COMPOSE_FILE=docker-compose.yml:deploy/compose.postgres.yaml:deploy/compose.scale.yaml:deploy/compose.gateways.yaml
export LATCHKEY_TLS_PORT
LATCHKEY_TLS_PORT=$(free_port 18443)
for name in database_admin_password token_database_password user_database_password sentinel_password; do
    (umask 077; openssl rand -hex 32 >"$LATCHKEY_SECRETS_DIR/$name"; chmod 444 "$LATCHKEY_SECRETS_DIR/$name")
done

now() { date +%s.%N; }
# kill_one ID: kills a container, and prints when its process ended.
kill_one() {
    "$engine" kill "$1" >/dev/null
    while [[ $("$engine" inspect -f '{{.State.Running}}' "$1") == true ]]; do sleep 0.1; done
    date -d "$("$engine" inspect -f '{{json .State.FinishedAt}}' "$1" | tr -d '"')" +%s.%N
}
sql() { "$engine" exec "$(containers "$1")" psql -qAt -U postgres -c "$2"; }

# await_lines SECONDS WHAT: waits until the README's lines work.
await_lines() {
    local start=$SECONDS
    until (readme_lines "$2") >/dev/null 2>"$work/why"; do
        ((SECONDS - start < $1)) || { cat "$work/why" >&2; fail "the lines do not work $1 s after $2"; }
        sleep 0.5
    done
}

# watched WHAT SINCE MOMENT RULE: checks what the clients have met since then (deploy/lib/compose_load.py).
watched() {
    local met id
    if ! met=$(python3 deploy/lib/compose_load.py judge "$work/load" "${@:2}"); then
        for id in $(containers); do
            "$engine" logs --since "${2%.*}" "$id" 2>&1 | grep -E '"level":"(warning|error|critical)"' | cut -c 1-600 | tail -n 10 || true
        done >&2
        fail "$1: $met"
    fi
    passed "$1: $met"
}

# page_block PAGE START: prints the first block of commands after the line that begins with START.
page_block() {
    awk -v start="$2" 'index($0, start) == 1 { found = 1 } found && /^ *```/ { if (inside) exit; inside = 1; next } inside' \
        "deploy/docs/run/$1.md"
}

# printed COMMAND...: runs a command that a page prints for docker. Podman-compose knows fewer options.
printed() {
    run_printed "$@"
    echo "$(now) $*" >>"$work/printed"
}
run_printed() {
    case "$1 ${2:-}" in
    "stop "*) "$engine" stop -t 25 "${@:2}" ;;
    "compose ps") containers "${!#}" ;;
    "compose exec")
        shift 2
        [[ $1 != -T ]] || shift
        "$engine" exec "$(containers "$1")" "${@:2}"
        ;;
    "compose run") "${compose[@]}" run -T "${@:3}" ;;
    "compose rm") "$engine" rm -f "$("$engine" ps -aq --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" \
        --filter "label=com.docker.compose.service=${!#}")" ;;
    "compose up")
        "${compose[@]}" "${@:2}" "${order[@]}"
        [[ " $* " != *" --wait "* ]] || await_health "${!#}"
        ;;
    compose*) "${compose[@]}" "${@:2}" ;;
    *) "$engine" "$@" ;;
    esac
}

# until_done MOMENT TEXT: prints the seconds from the moment to the end of the last command with the text, and 10 more.
until_done() { awk -v moment="$1" -v text="$2" 'index($0, text) { end = $1 } END { print end - moment + 10 }' "$work/printed"; }

# as_printed: runs a page's commands from standard input, in this project.
as_printed() {
    sed -e 's/\bdocker /printed /g' -e "s/latchkey_/${COMPOSE_PROJECT_NAME}_/" -e 's/^echo \(.*\) >>\.env$/export \1/' >"$work/commands"
    [[ -s $work/commands ]] || fail "the page has no such commands"
    . "$work/commands" >"$work/commands.log" 2>&1 </dev/null
}

# The bridges of older podman take the lowest hardware address among their containers, and lose packets whenever that changes.
keep_bridge_addresses() {
    local network bridge
    for network in $(podman network ls -q --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME"); do
        bridge=$(podman network inspect -f '{{.NetworkInterface}}' "$network")
        ip link set "$bridge" address "$(<"/sys/class/net/$bridge/address")"
    done
}

# Podman removes no container that another was started after, so the order is left out.
order=()
[[ $engine != podman ]] || order=(--no-deps)
up "${order[@]}"
[[ $engine != podman ]] || keep_bridge_addresses
await_health
await_names
await_lines 120 "the start"
[[ $(sql postgres 'SELECT sync_state FROM pg_stat_replication') == sync ]] || fail "no synchronous standby"
passed "$(containers | wc -l) containers are up, and the lines work"
python3 deploy/lib/compose_load.py run "$gateway" "$inbox" >"$work/load" 2>"$work/load.errors" &

for service in otp token user gateway sentinel-1 sentinel-2 sentinel-3 redis-2 redis-3 redis proxy postgres; do
    id=$(containers "$service" | sed -n 1p) since=$(now) rule=flight
    killed=$(kill_one "$id")
    case $service in
    redis) rule=20 ;;
    # Single, and back by itself on a host with restarts.
    proxy) rule=10refused && start "$id" ;;
    postgres) rule=20 && start "$id" ;;
    esac
    sleep 20
    watched "$service was killed" "$since" "$killed" "$rule"
    await_lines 1 "$service was killed"
    since=$(now)
    start "$id"
    await_health "$service"
    sleep 10
    watched "$service was started" "$since" "$since" none
done

# The rolling upgrade. Its last command replaces what a release does not need to roll, and no container that has rolled.
since=$(now)
"$engine" tag "${next:-latchkey:test}" latchkey:test-next
export LATCHKEY_TAG=test-next
page_block upgrade '## Roll' >"$work/roll"
as_printed < <(sed '$d' "$work/roll")
watched "the other image was rolled out" "$since" "$since" none
rolled() { for service in otp token user gateway; do containers "$service"; done | sort; }
before=$(rolled) version=$("$engine" run --rm --network none latchkey:test-next latchkeyctl --version)
[[ $(wc -l <<<"$before") == 8 ]] || fail "not two of each after the roll: $("${compose[@]}" ps)"
for id in $before; do
    [[ $("$engine" exec "$id" latchkeyctl --version) == "$version" ]] || fail "$(name_of "$id") is not of version $version"
done
as_printed < <(sed -n '$p' "$work/roll")
[[ $(rolled) == "$before" ]] || fail "the last command of the roll replaced containers that had rolled"
await_health
await_lines 30 "the roll"
passed "all processes have version $version"

since=$(now) id=$(containers postgres-2)
killed=$(kill_one "$id")
as_printed < <(page_block scale '**The second server is away**')
sleep 10
watched "postgres-2 was killed, and commits no longer wait for it" "$since" "$killed" "$(until_done "$killed" 'ALTER SYSTEM')"
since=$(now)
start "$id"
as_printed < <(page_block scale '**The second server is back.**')
sleep 5
watched "commits wait for postgres-2 again" "$since" "$since" none

since=$(now)
as_printed < <(page_block scale '**The first server is lost.**')
await_lines 5 "the promotion"
watched "postgres-2 was promoted, and postgres copied it" "$since" "$since" "$(until_done "$since" pg_promote)"
[[ $(sql postgres-2 'SELECT application_name, sync_state FROM pg_stat_replication') == 'postgres|sync' ]] || fail "postgres does not follow"

# Internal TLS by the page's commands, and new certificates.
export LATCHKEY_INTERNAL_TLS_DIR=$work/internal
make_certificates() {
    page_block scale '### With compose on several hosts' >"$work/certificates"
    as_printed < <(sed -e "s,\$PWD,$work,; s, ca/, $work/ca/,g; s,/etc/latchkey/internal,$LATCHKEY_INTERNAL_TLS_DIR," \
        "$work/certificates")
}
# served_by SERVICE PORT: prints the certificate that the first container of a service serves, if callers would accept it.
served_by() {
    local id address
    id=$(containers "$1" | sed -n 1p)
    address=$("$engine" inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}' "$id")
    openssl s_client -connect "${address%% *}:$2" -CAfile "$LATCHKEY_INTERNAL_TLS_DIR/internal-ca.crt" -verify_return_error \
        -verify_hostname "$1" </dev/null 2>/dev/null | openssl x509 -noout -fingerprint
}
make_certificates
since=$(now)
export COMPOSE_FILE+=:deploy/compose.internal-tls.yaml
up "${order[@]}"
[[ $engine != podman ]] || keep_bridge_addresses
await_health
await_names
await_lines 60 "internal TLS was turned on"
watched "internal TLS was turned on" "$since" "$since" 120refused
before=$(served_by otp 8081 && served_by token 8082 && served_by user 8083) || fail "a service serves no certificate that callers accept"
since=$(now)
make_certificates
for id in $(containers otp) $(containers token) $(containers user); do "$engine" kill -s HUP "$id" >/dev/null; done
sleep 10
after=$(served_by otp 8081 && served_by token 8082 && served_by user 8083) || fail "a service serves none after SIGHUP"
[[ $(comm -12 <(sort <<<"$before") <(sort <<<"$after")) == '' ]] || fail "old certificates are served after SIGHUP"
watched "the certificates were renewed" "$since" "$since" none
