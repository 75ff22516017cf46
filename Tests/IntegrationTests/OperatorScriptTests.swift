import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// The scripts in deploy/, as an operator runs them.
    @Suite(.timeLimit(.minutes(4))) struct OperatorScriptTests {
        @Test func `each script explains itself with --help, and does nothing else`() async throws {
            let outcome = try await Shell.run(
                """
                copy=$(mktemp -d); trap 'rm -rf "$copy"' EXIT
                tar -c --exclude=secrets.d deploy docker-compose.yml | tar -x -C "$copy"
                cd "$copy"; find . -type f | sort | xargs sha256sum > ../before.$$
                # No program that could do something is found.
                mkdir ../none.$$; for tool in bash env sed cat dirname; do ln -s "$(command -v $tool)" ../none.$$/; done
                ln -s "$(python3 -c 'import sys; print(sys.executable)')" ../none.$$/python3
                find deploy -path deploy/lib -prune -o -path deploy/debian -prune -o -type f -perm -u+x -print | sort | while read -r script; do
                    for option in --help -h; do
                        said=$(PATH="$copy/../none.$$" "$script" "$option" 2>&1) || echo "$script $option fails: $said"
                        [[ ${#said} -gt 80 ]] || echo "$script $option says: $said"
                    done
                done
                PATH="$copy/../none.$$" deploy/secrets --for production --help > ../said.$$ 2>&1 || echo "secrets does more than help"
                find . -type f ! -path '*/__pycache__/*' | sort | xargs sha256sum | diff ../before.$$ - || echo "files have changed"
                find deploy -path deploy/lib -prune -o -path deploy/debian -prune -o -type f -perm -u+x -print | wc -l; rm -r ../before.$$ ../none.$$ ../said.$$
                """, in: LatchkeyStack.root)
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 1 && (lines.last.flatMap { Int($0) } ?? 0) >= 15, "\(outcome.output)")
        }

        /// With the certificates that deploy/run makes, with the operator's own, and after the stack has stopped.
        @Test(arguments: [false, true])
        func `deploy/ctl tls pins reads the certificates of the stack`(own: Bool) async throws {
            let folder = FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString
            defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let outcome = try await Shell.run(
                """
                mkdir -m 700 "$FOLDER/pairs"
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 -subj /CN=own.example \
                    -addext subjectAltName=DNS:own.example -keyout "$FOLDER/pairs/default.key" -out "$FOLDER/pairs/default.crt" 2>/dev/null
                chmod 600 "$FOLDER/pairs/default.key"
                \(own ? "export LATCHKEY_TLS_DIR=\"$FOLDER/pairs\"" : "")
                : > "$FOLDER/run"; deploy/run --stop-with-parent > "$FOLDER/run" 2>&1 & stack=$!
                trap 'kill $stack; wait' EXIT
                for _ in $(seq 600); do grep -q ^ready "$FOLDER/run" && break; kill -0 $stack || exit 9; sleep 0.1; done
                served=$(openssl s_client -connect "127.0.0.1:$(sed -n 's,^tls https://.*:,,p' "$FOLDER/run")" </dev/null 2>/dev/null |
                    openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)
                unset LATCHKEY_TLS_DIR
                deploy/ctl tls pins > "$FOLDER/pins" 2>&1
                echo "served $(grep -cF "$served" "$FOLDER/pins")"; cat "$FOLDER/pins" "$FOLDER/run"
                """, in: LatchkeyStack.root,
                environment: [
                    "FOLDER": folder, "LATCHKEY_BIN_DIR": LatchkeyStack.binaries, "LATCHKEY_DATA_DIR": folder + "/data",
                    "LATCHKEY_PORT": "0", "LATCHKEY_INBOX_PORT": "0", "LATCHKEY_TLS_PORT": "0",
                ])
            #expect(outcome.output.hasPrefix("served 1\n"), "\(outcome.output)")
        }
    }
}
