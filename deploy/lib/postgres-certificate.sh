#!/bin/bash
# Makes an authority and PostgreSQL's certificate: postgres-certificate.sh FOLDER PUBLIC HOST
#
# FOLDER gets server.key and server.crt; the authority is added to PUBLIC's ca.crt, which clients verify certificates against. Its key
# is not kept, so it can vouch for nothing else. A certificate that ca.crt verifies is kept; delete FOLDER's files to make new ones.
set -euo pipefail
folder=$1 public=$2 host=$3
! openssl verify -CAfile "$public/ca.crt" "$folder/server.crt" >/dev/null 2>&1 || exit 0
umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
new_key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null ||
    openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }
new_key "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -days 3650 -subj "/CN=Latchkey database $host" \
    -addext "basicConstraints=critical,CA:TRUE,pathlen:0" -addext "keyUsage=critical,keyCertSign" -out "$work/ca.crt"
new_key "$work/server.key"
openssl req -new -key "$work/server.key" -subj "/CN=$host" -out "$work/server.csr"
printf 'subjectAltName=DNS:%s\nbasicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\n' "$host" >"$work/extensions"
openssl x509 -req -in "$work/server.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -set_serial "0x$(openssl rand -hex 16)" \
    -days 3650 -extfile "$work/extensions" -out "$work/server.crt" 2>/dev/null
mv "$work/server.key" "$work/server.crt" "$folder"
# Two servers may begin at once, and clients read the file meanwhile.
exec 9<"$public"
flock 9
{ cat "$public/ca.crt" 2>/dev/null || true; cat "$work/ca.crt"; } >"$public/ca.new"
chmod 644 "$public/ca.new"
mv "$public/ca.new" "$public/ca.crt"
