# Runs the parts of a test run, in turn or at once; a part that fails stops no other. Sourced; expects $root.

part_folder=$root/.build/parts
declare -A part_processes part_starts part_commands part_states
part_names=()

# start_part NAME COMMAND...: starts a part. Its output goes to .build/parts/NAME.log.
start_part() {
    local name=$1
    shift
    mkdir -p "$part_folder"
    part_names+=("$name")
    part_commands[$name]="$*" part_starts[$name]=$SECONDS
    # The part writes when it ended, since it may have ended long before `end_part`.
    (
        set +e
        "$@"
        echo "$? $SECONDS" >"$part_folder/$name.end"
    ) >"$part_folder/$name.log" 2>&1 &
    part_processes[$name]=$!
}

# end_part NAME: waits for a part, showing its time, and prints its result.
end_part() {
    local name=$1 status=1 ended='' minutes=0 seconds
    while kill -0 "${part_processes[$name]}" 2>/dev/null; do
        sleep 0.3
        seconds=$((SECONDS - ${part_starts[$name]}))
        if [[ -t 1 ]]; then
            printf '\rrunning  %-28s %5d s' "$name" "$seconds"
        elif ((seconds / 60 > minutes)); then
            minutes=$((seconds / 60))
            printf 'running  %-28s %5d s\n' "$name" "$seconds"
        fi
    done
    wait "${part_processes[$name]}" || true
    ! read -r status ended <"$part_folder/$name.end" || true
    rm -f "$part_folder/$name.end"
    part_states[$name]=$status
    [[ ! -t 1 ]] || printf '\r'
    printf '%-8s %-28s %5d s  %s\n' "$( ((status)) && echo FAILED || echo passed)" "$name" \
        $((${ended:-$SECONDS} - ${part_starts[$name]})) \
        "$(grep -a -o 'Test run with [0-9]* tests\?' "$part_folder/$name.log" | tail -n 1 | cut -c 15-)"
    return "$status"
}

# run_part NAME COMMAND...: runs a part and waits for it; its status is that of the command.
run_part() {
    start_part "$@"
    end_part "$1"
}

# stop_parts: ends the parts that still run, when the script is interrupted.
stop_parts() {
    local process
    for process in "${part_processes[@]}"; do
        pkill -P "$process" || true
        kill "$process" 2>/dev/null || true
    done
}

# failed_tests LOG: prints "test<tab>first message" for each test that failed, and for each suite that could not begin. A run that a
# crash broke off has a line too.
failed_tests() {
    local issue='^✘ (Test|Suite) (.*) recorded an issue.* at ([^ ]+\.swift:[0-9]+):[0-9]+: (.*)'
    # The comment of an issue is on the next line.
    LC_ALL=C awk '/^↳ / && held != "" { held = held ": " substr($0, length("↳ ") + 1); next }
        { if (held != "") print held; held = /recorded an issue/ ? $0 : "" } END { if (held != "") print held }' "$1" |
        LC_ALL=C sed -nE "s/$issue/\\2\\t\\3: \\4/p" | LC_ALL=C sed -E 's/^"(.*)"\t/\1\t/' | awk -F '\t' '!seen[$1]++'
    if grep -a -q '^◇ Test run started' "$1" && ! grep -a -q 'Test run with .* after' "$1"; then
        printf '(the process ended)\t%s\n' "$(grep -a -m 1 -E 'Fatal error|Crash' "$1" || tail -n 1 "$1")"
    fi
}

# again TEST: prints the command that runs a test alone.
again() {
    local pattern
    pattern=$(sed -E 's/^([A-Za-z0-9_]+)\([^ ]*\)$/\1/; s/[][\.*^$()+?{}|]/\\&/g' <<<"$1")
    [[ $1 == '(the process ended)' ]] || printf "again: deploy/test --filter '%s'\n" "${pattern//\'/\'\\\'\'}"
}

# again_part NAME: prints the command that runs a part alone.
again_part() {
    local command=${part_commands[$1]#"$root"/}
    case $command in
    'run_suite chosen') echo "deploy/test ${chosen[*]@Q}" ;;
    run_suite*) echo "deploy/test --part ${command#run_suite }" ;;
    *) echo "$command" ;;
    esac
}

# report_failures: prints the failures of all parts, each with the command that repeats it; fails if there is one.
report_failures() {
    local name log test message failed=0
    for name in "${part_names[@]}"; do
        ((${part_states[$name]:-1})) || continue
        failed=1 log=$part_folder/$name.log
        printf '\nfailed: %s, see %s\n' "$name" "${log#"$root"/}"
        if [[ -z $(failed_tests "$log") ]]; then
            tail -n 40 "$log" | sed 's/^/    /'
            printf '    again: %s\n' "$(again_part "$name")"
        fi
        while IFS=$'\t' read -r test message; do
            printf '  %s\n    %s\n    %s\n' "$test" "$message" "$(again "$test")"
        done < <(failed_tests "$log")
    done
    return "$failed"
}

# count_failures LOG...: prints each test that failed in these runs: how often, its name, its first message and how to repeat it.
count_failures() {
    local log count test message failed=0
    while IFS=$'\t' read -r count test message; do
        failed=1
        printf '%3d times: %s\n           %s\n           %s\n' "$count" "$test" "$message" "$(again "$test")"
    done < <(for log in "$@"; do failed_tests "$log"; done |
        awk -F '\t' '{ if (!count[$1]++) first[$1] = $2 } END { for (t in count) print count[t] "\t" t "\t" first[t] }' |
        sort -t $'\t' -k 1,1nr -k 2,2)
    return "$failed"
}
