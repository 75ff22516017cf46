# Runs a stack, and the blocks of a page that are marked run. Sourced by deploy/test-docs, and for the stack by deploy/test-api,
# deploy/test-console and deploy/test-dashboards; expects $root and LATCHKEY_BIN_DIR.

work=$(mktemp -d)
stack='' server=''
stop() {
    [[ -z $1 ]] || { kill "$1" && wait "$1"; } 2>/dev/null || true
}
trap 'stop "$server"; stop "$stack"; rm -rf "$work"' EXIT
address() { sed -n "s/^$1 //p" "$work/run"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# A stack with its own data; an own API on $api answers behind it once a page has started one.
api=$((20000 + RANDOM % 9000))
# start_stack POLICY [VARIABLE=VALUE...]
start_stack() {
    : >"$work/run"
    env LATCHKEY_DATA_DIR="$work/data" LATCHKEY_PORT=0 LATCHKEY_INBOX_PORT=0 LATCHKEY_POLICY="$1" LATCHKEY_FAKES=1 \
        "${@:2}" "$root/deploy/run" --stop-with-parent >"$work/run" 2>&1 &
    stack=$!
    until grep -q '^inbox ' "$work/run"; do
        kill -0 "$stack" 2>/dev/null || { cat "$work/run" >&2; exit 1; }
        sleep 0.2
    done
}

# sign_in GATEWAY [CURL'S ARGUMENTS]: signs a new user in, for the blocks that need a token.
sign_in() {
    local gateway=$1 code answer json='Content-Type: application/json'
    local phone=+1555$((RANDOM % 9000 + 1000))$((RANDOM % 900 + 100))
    shift
    curl -sf "$@" "$gateway/auth/otp/request" -H "$json" -d "{\"phoneNumber\":\"$phone\"}" >/dev/null
    code=$(curl -s "$(address inbox)/api/messages?to=%2B${phone#+}" | field code)
    answer=$(curl -sf "$@" "$gateway/auth/otp/verify" -H "$json" -d "{\"phoneNumber\":\"$phone\",\"code\":\"$code\"}")
    ACCESS=$(field accessToken <<<"$answer") REFRESH=$(field refreshToken <<<"$answer")
    ID=$(field id <<<"$answer") PHONE=$phone
    export ACCESS REFRESH ID PHONE
}

# A folder as the reader's clone is: its data, its deploy folder, and the programs by their names.
make_clone() {
    local clone=$work/clone
    rm -rf "$clone"
    mkdir -p "$clone/deploy" "$clone/bin" "$work/backups"
    cp -r "$root/deploy/policies" "$clone/deploy/"
    ln -s "$work/data" "$clone/.latchkey"
    printf '#!/bin/bash\nLATCHKEY_DATA_DIR=%q exec %q/deploy/ctl "$@"\n' "$work/data" "$root" >"$clone/bin/latchkeyctl"
    chmod +x "$clone/bin/latchkeyctl"
    cp "$clone/bin/latchkeyctl" "$clone/deploy/ctl"
}

# The addresses and values of a page, as they are here.
as_here() {
    sed -e "s,http://127.0.0.1:8080,$(address ready),g" -e "s,http://127.0.0.1:8025,$(address inbox),g" \
        -e "s,127.0.0.1:3000,127.0.0.1:$api,g" -e "s/listen(3000/listen($api/; s/port=3000/port=$api/" \
        -e "s,/backups/,$work/backups/,g" -e "s,/tmp/trial,$work/trial,g" \
        -e "s,\"howru\.app\",\"howru.app\",; s/issuer=\"latchkey\", audience=\"latchkey\"/issuer=\"howru.app\", audience=\"howru-api\"/" \
        -e "s/\\bID\\b/$ID/g; s/+15551234567/$PHONE/g" "$1"
}

run_shell() {
    as_here "$1" >"$work/clone/block.sh"
    # `deploy/run` by itself is the stack that runs.
    [[ $(<"$1") != deploy/run ]] || return 0
    (cd "$work/clone" && PATH="$work/clone/bin:$PATH" bash -euo pipefail block.sh)
}

# A server: a request with the user's header is 200 and names them, one without is 401.
serve() {
    local url=http://127.0.0.1:$api/api/hello
    (cd "$work/clone" && exec "$@") &
    server=$!
    for _ in $(seq 100); do
        curl -s -o /dev/null "$url" && break
        sleep 0.1
    done
    [[ $(curl -s -o /dev/null -w '%{http_code}' "$url") == 401 ]] && curl -sf "$url" -H 'X-User-Id: usr_1' | grep -q usr_1
    local outcome=$?
    stop "$server"
    server=''
    return "$outcome"
}

# A middleware of Django, without a server.
run_django() {
    (cd "$work/clone" && /usr/bin/python3 - <<'TRY')
from django.conf import settings
settings.configure()
from block import LatchkeyUser
from django.http import HttpResponse
from django.test import RequestFactory
answer, requests = LatchkeyUser(lambda request: HttpResponse(request.user_id)), RequestFactory()
assert answer(requests.get("/api/hello")).status_code == 401
assert answer(requests.get("/api/hello", HTTP_X_USER_ID="usr_1")).content == b"usr_1"
TRY
}

# try_receiver COMMAND...: the requests of docs-receiver-requests.py to a receiver of events, which reads them and prints the statuses.
try_receiver() {
    local USER_HOOK_SECRET=v1,whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
    export USER_HOOK_SECRET
    python3 "$root/deploy/lib/docs-receiver-requests.py" requests | "$@" | python3 "$root/deploy/lib/docs-receiver-requests.py" check
}

# A Swift receiver, with the modules of the debug build.
run_swift() {
    local modules=$root/.build/debug/Modules objects
    mkdir -p "$work/swift"
    cp "$1" "$work/swift/block.swift"
    cp "$root/deploy/lib/docs-receiver.swift" "$work/swift/main.swift"
    objects=$(find "$root"/.build/debug/{Crypto,CryptoBoringWrapper,CCryptoBoringSSL,CCryptoBoringSSLShims,CXKCP,CXKCPShims}.build -name '*.o')
    # shellcheck disable=SC2086
    swiftc -swift-version 6 -I "$modules" "$work/swift"/{block,main}.swift $objects -lstdc++ -o "$work/swift/receiver" &&
        try_receiver "$work/swift/receiver"
}

run_python() {
    as_here "$1" >"$work/clone/block.py"
    if grep -q USER_HOOK_SECRET "$1"; then
        cat "$root/deploy/lib/docs-receiver.py" >>"$work/clone/block.py"
        try_receiver /usr/bin/python3 "$work/clone/block.py"
        return
    fi
    if grep -q django "$1"; then run_django; return; fi
    if grep -q uvicorn "$1"; then serve /usr/bin/python3 block.py; return; fi
    echo 'import os; print(user_id(os.environ["ACCESS"]))' >>"$work/clone/block.py"
    [[ $(/usr/bin/python3 "$work/clone/block.py") == "$ID" ]]
}

run_javascript() {
    as_here "$1" >"$work/clone/block.js"
    if grep -q USER_HOOK_SECRET "$1"; then
        cat "$root/deploy/lib/docs-receiver.js" >>"$work/clone/block.js"
        try_receiver node "$work/clone/block.js"
        return
    fi
    NODE_PATH=/usr/share/nodejs serve node block.js
}

# The page of the server: its policy, over https with an authority of its own, and text messages by the fake of Twilio.
run_server_page() {
    stop "$stack"
    stack=''
    docs policy deploy/docs/run/vps.md >"$work/vps.yaml"
    mv "$work/data" "$work/data-before"
    start_stack "$work/vps.yaml" LATCHKEY_ENV=uat LATCHKEY_TLS_PORT=0 OTP_SENDER=twilio-messaging
    sign_in "$(address tls)" --cacert "$work/data/tls/ca.crt"
    local answer=0
    [[ -n $ACCESS ]] && grep -q '"issuer":"https://auth.example.com"' <(
        curl -s --cacert "$work/data/tls/ca.crt" "$(address tls)/.well-known/oauth-authorization-server") || answer=1
    stop "$stack"
    stack=''
    rm -rf "$work/data"
    mv "$work/data-before" "$work/data"
    ((answer == 0)) && echo "deploy/docs/run/vps.md: its policy signs in over https" && start_stack howru
}

run_page() {
    local page=$1 file number=0
    [[ -n $stack ]] || start_stack howru
    sign_in "$(address ready)"
    make_clone
    rm -rf "$work/blocks"
    mkdir "$work/blocks"
    docs write "$work/blocks" "$page"
    for file in "$work/blocks"/*; do
        number=$((number + 1))
        case $file in
        *.sh | *.bash) run_shell "$file" ;;
        *.python) run_python "$file" ;;
        *.js) run_javascript "$file" ;;
        *.swift) run_swift "$file" ;;
        *) false ;;
        esac >"$work/output" 2>&1 || { echo "$page: block $number failed"; cat "$file" "$work/output"; return 1; }
    done
    echo "$page: $number run"
    [[ $page != */vps.md ]] || run_server_page
}
