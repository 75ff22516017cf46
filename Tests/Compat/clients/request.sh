#!/bin/bash
# Sends one request by curl: METHOD URL TOKEN TYPE FILE; prints the status and the body.
set -euo pipefail
options=(-sS --cacert "$CA" -X "$1" -w '%{stderr}%{http_code}' -o /dev/stdout)
[[ -z $3 ]] || options+=(-H "Authorization: Bearer $3")
[[ -z $4 ]] || options+=(-H "Content-Type: $4")
[[ -z $5 ]] || options+=(--data-binary "@$5")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
curl "${options[@]}" "$2" >"$work/body" 2>"$work/status"
cat "$work/status"
echo
cat "$work/body"
