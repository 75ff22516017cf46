# Sourced by deploy/test-compose --gateways. Two gateways behind HAProxy (deploy/compose.gateways.yaml): what they share, and that nobody
# notices when one is replaced.
export COMPOSE_FILE=docker-compose.yml:deploy/compose.gateways.yaml
# With any other value, a route of the app has no signed identity.
sed -i 's,^    access: bearer,&\n    identityAudience: app-api,' "$LATCHKEY_POLICIES_DIR/starter.yaml"
order=()
[[ $engine != podman ]] || order=(--no-deps)
up "${order[@]}"
await_health
await_names

# addresses ID: prints the addresses of a container, one a line.
addresses() { "$engine" inspect -f '{{range .NetworkSettings.Networks}}{{println .IPAddress}}{{end}}' "$1"; }
# at NUMBER PATH [OPTION...]: sends a request to one gateway, as HAProxy would.
at() {
    curl -s -m 5 --haproxy-protocol \
        "http://$(addresses "$(containers gateway | sed -n "$1p")" | grep '^172\.31\.255\.'):8080$2" "${@:3}"
}
# member NAME: prints a member of the JSON on standard input.
member() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
sign_in() {
    local phone=+1555$((RANDOM % 9000 + 1000))$((RANDOM % 900 + 100)) code
    local body="{\"phoneNumber\":\"$phone\",\"countryCode\":\"US\""
    curl -sf -o "$work/answer" "$gateway/auth/otp/request" -H 'Content-Type: application/json' -d "$body}"
    code=$(curl -sf "$inbox/api/messages?to=%2B${phone#+}" | member code)
    curl -sf "$gateway/auth/otp/verify" -H 'Content-Type: application/json' -d "$body,\"code\":\"$code\",\"name\":\"Betty\"}" >"$work/tokens"
    access=$(member accessToken <"$work/tokens") refresh=$(member refreshToken <"$work/tokens")
}
# verified PROOF KEYS: whether the key that the proof names is among the keys, and has signed it.
verified() {
    python3 deploy/lib/proof.py "$1" "$2" "$work/proof"
    openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/proof.key" -rawin -in "$work/proof.text" \
        -sigfile "$work/proof.signature" >"$work/proof.log" 2>&1
}
# proofs_hold WHAT: each gateway's proof has to verify with the keys of the other.
proofs_hold() {
    local one proof
    for one in 1 2; do
        proof=$(at "$one" /api/hello -H "Authorization: Bearer $access" | member identity)
        verified "$proof" "$(at $((3 - one)) /.well-known/latchkey-identity.json)" || fail "gateway $one's proof $1"
    done
}

await_names
sign_in
proofs_hold 'does not verify with the keys of the other'
# In rotation: the gateways read the new pair one after the other.
key=$LATCHKEY_SECRETS_DIR/identity_ed25519
old=$(<"$key") new="next-$RANDOM $(openssl genpkey -algorithm ed25519 -outform DER | tail -c 32 | base64)"
for lines in "$old"$'\n'"$new" "$new"$'\n'"$old" "$new"; do
    chmod u+w "$key"
    cat >"$key" <<<"$lines"
    for id in $(containers gateway); do
        "$engine" kill -s HUP "$id" >/dev/null
        sleep 2
        proofs_hold 'does not verify during a rotation'
    done
done
at 1 /.well-known/latchkey-identity.json | grep -q "${new%% *}" || fail "the new identity key is not in use"
passed "the identity proof of each gateway verifies with the other's keys, before, in and after a rotation"

# A sign-out through one holds at the other.
for round in {1..10}; do
    sign_in
    for one in 1 2; do [[ $(at "$one" /api/hello -H "Authorization: Bearer $access" -o "$work/answer" -w '%{http_code}') == 200 ]] || fail "no call"; done
    at 1 /auth/logout -H 'Content-Type: application/json' -d "{\"refreshToken\":\"$refresh\"}" -o "$work/answer"
    sleep 0.1
    for one in 1 2; do
        [[ $(at "$one" /api/hello -H "Authorization: Bearer $access" -o "$work/answer" -w '%{http_code}') == 401 ]] ||
            fail "gateway $one accepts a token 100 ms after the sign-out, round $round"
    done
done
passed "a sign-out holds at both after 100 ms, 10 times of 10"

# Replaced one after the other, three times each.
python3 deploy/lib/compose_load.py run "$gateway" "$inbox" >"$work/load" 2>"$work/load.errors" &
load=$!
sleep 5
since=$(date +%s.%N)
for round in 1 2 3; do
    for id in $(containers gateway); do
        "$engine" stop -t 25 "$id" >"$work/stop.log" 2>&1
        sleep 3
        start "$id"
        await_health gateway
        sleep 5
    done
done
met=$(python3 deploy/lib/compose_load.py judge "$work/load" "$since" "$since" none) || fail "gateways were replaced: $met"
kill "$load"
wait "$load" || true
passed "gateways were replaced 6 times: $met"

sign_in
# One limit over both, whatever a client says of its address.
sed -i 's,^edge:,&\n  authLimit: { max: 100\, windowSeconds: 3600 },' "$LATCHKEY_POLICIES_DIR/starter.yaml"
# The clients here have private addresses, which development does not limit.
printf 'services: {gateway: {environment: {LATCHKEY_LIMIT_LOCAL: "1"}}}\n' >"$work/limits.yaml"
export COMPOSE_FILE+=:$work/limits.yaml
up "${order[@]}"
await_health
await_names
statuses=$(for number in {1..200}; do
    curl -s -o /dev/null -w '%{http_code}\n' "$gateway/auth/refresh" -H 'Content-Type: application/json' -d '{"refreshToken":"x"}' \
        -H "X-Forwarded-For: 10.0.$((number % 20)).$number" -H "Forwarded: for=10.1.0.$number"
done)
passed_count=$(grep -c '^401' <<<"$statuses" || true)
[[ $(grep -vc '^401\|^429' <<<"$statuses" || true) == 0 ]] || fail "statuses: $(sort <<<"$statuses" | uniq -c | tr '\n' ' ')"
((passed_count >= 90 && passed_count <= 100)) || fail "a limit of 100 let $passed_count requests pass"
passed "a limit of 100 let $passed_count of 200 requests pass, each with another X-Forwarded-For"

# When none is ready, clients still get a response.
"$engine" stop "$(containers redis)" >"$work/stop.log" 2>&1
sleep 8
answer=$(curl -s -m 10 -D - -o /dev/null "$gateway/api/hello" -H "Authorization: Bearer $access" || true)
grep -q ' 503' <<<"$answer" && grep -qi '^retry-after:' <<<"$answer" || fail "without Redis a client gets: $answer"
passed "without Redis no gateway is ready, and a client gets 503 with Retry-After"
