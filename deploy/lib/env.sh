# Reads settings as compose does: from the environment, else from `.env` next to docker-compose.yml. Sourced; expects $root, the
# folder of both.

# assigned NAME: prints the value of a setting, empty if it has none. In `.env` the last line `NAME=value` or `NAME: value`
# counts. Comments and quotes around the value are removed, and nothing is run.
assigned() {
    local line value='' assignment="^[[:space:]]*(export[[:space:]]+)?$1[[:space:]]*[=:](.*)$"
    local quoted="^[[:space:]]*(\"([^\"]*)\"|'([^']*)')[[:space:]]*(#.*)?$"
    # A variable that is set to nothing counts as set.
    if [[ -n ${!1+set} ]]; then
        echo "${!1}"
        return
    fi
    [[ -e $root/.env ]] || return 0
    while IFS= read -r line || [[ -n $line ]]; do
        [[ ${line%$'\r'} =~ $assignment ]] || continue
        value=${BASH_REMATCH[2]}
        if [[ $value =~ $quoted ]]; then
            value=${BASH_REMATCH[2]}${BASH_REMATCH[3]}
        else
            value=${value%%[[:space:]]#*}
            value=${value#"${value%%[![:space:]]*}"}
            value=${value%"${value##*[![:space:]]}"}
        fi
    done <"$root/.env" || exit
    echo "$value"
}

# setting NAME: prints a value as `assigned` does, and refuses one that compose would expand or unescape.
setting() {
    local value
    value=$(assigned "$1") || exit
    case $value in
    '~'* | *[\"\'\`\$\\]*)
        echo "$root/.env: $1 is not a plain value; write it out" >&2
        exit 1
        ;;
    esac
    echo "$value"
}

# names_in_env: prints the names of the variables in `.env`.
names_in_env() {
    [[ ! -e $root/.env ]] || sed -nE 's/^[[:space:]]*(export[[:space:]]+)?([A-Za-z_][A-Za-z0-9_]*)[[:space:]]*[=:].*/\2/p' "$root/.env" | sort -u
}

# override_file: prints the name of the file with an operator's own changes, if there is one.
override_file() {
    local name
    for name in docker-compose.override.y{,a}ml; do
        [[ ! -e $root/$name ]] || { echo "$name"; return; }
    done
}

# overlays: prints the overlays that the settings need, one a line.
overlays() {
    local environment codes mail certificates port
    environment=$(setting LATCHKEY_ENV) || exit
    codes=$(setting OTP_SENDER) || exit
    mail=$(setting MAIL_SENDER) || exit
    certificates=$(assigned LATCHKEY_TLS_DIR) || exit
    port=$(assigned LATCHKEY_TLS_PORT) || exit
    [[ $environment != production ]] || echo deploy/compose.production.yaml
    [[ -z $certificates$port ]] || echo deploy/compose.tls.yaml
    [[ $codes != *twilio* ]] || echo deploy/compose.twilio.yaml
    case $mail in resend | smtp) echo "deploy/compose.$mail.yaml" ;; esac
    return 0
}

# write_compose_file: adds the line COMPOSE_FILE to `.env` if there is none, since compose selects its files by this line alone.
write_compose_file() {
    local files line
    [[ -e $root/.env && -z ${COMPOSE_FILE+set} ]] || return 0
    files=$(names_in_env) || exit
    [[ $'\n'$files$'\n' != *$'\nCOMPOSE_FILE\n'* ]] || return 0
    files=$(overlays && override_file) || exit
    line=COMPOSE_FILE=docker-compose.yml${files:+:${files//$'\n'/:}}
    # The last line of the file may have no end.
    [[ -z $(tail -c 1 "$root/.env") ]] || echo >>"$root/.env"
    echo "$line" >>"$root/.env"
    echo "wrote $line into $root/.env"
}
