import AccessTokens
import CryptoPrimitives
import FoundationEssentials
import TestSupport
import Testing

/// `latchkeyctl jws verify` and `sig verify` as a script uses them, with pipes that stay open.
@Suite struct SignatureCommandTests {
    /// Runs `script` with the binary as `$ctl`, a key as `$jwk`, a token of it as `$token` and a line as `$pair`.
    private func run(_ script: String) async throws -> Shell.Outcome {
        let key = try SigningKey.generate(keyID: "k", algorithm: .ES256)
        let jwk = String(
            decoding: try JSONEncoder().encode(try #require(key.verificationKey.jwk)), as: UTF8.self)
        return try await Shell.run(
            script, in: FileManager.default.temporaryDirectory.path,
            environment: [
                "ctl": LatchkeyStack.binaries + "/latchkeyctl", "jwk": jwk,
                "token": try CompactJWS.sign([1, 2, 3], type: nil, with: key),
                "pair": "00ff " + Hex.encode(try key.sign([0x00, 0xFF])),
            ])
    }

    @Test(.timeLimit(.minutes(5))) func `a line is answered before the next one is sent`() async throws {
        let outcome = try await run(
            """
            set -eu
            exec 3< <(printf %s "$jwk")
            coproc JWS { "$ctl" jws verify --jwk /dev/fd/3; }
            for line in "$token" "" "$token." "$token"; do
                printf '%s\\n' "$line" >&"${JWS[1]}"
                read -r -t 30 answer <&"${JWS[0]}"
                echo "$answer"
            done
            # Bash forgets the number when the process ends.
            pid=$JWS_PID
            exec {JWS[1]}>&-
            wait "$pid"
            """)
        #expect(outcome.output == "ok\nrefused: malformed\nrefused: malformed\nok\n")
        #expect(outcome.isSuccess)
    }

    @Test(.timeLimit(.minutes(5))) func `pairs are answered, the last one without a line feed too`() async throws {
        let outcome = try await run(
            #"printf '%s\n \nx\n%s' "$pair" "$pair" | "$ctl" sig verify --alg ES256 --jwk <(printf %s "$jwk")"#)
        #expect(outcome.output == "ok\nrefused: badSignature\nrefused: malformed\nok\n")
        #expect(outcome.isSuccess)
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            (#"jws verify --jwk <(echo '{}')"#, "malformedKey"),
            (#"jws verify --jwk <(echo '{"kty":"oct","k":"c2hvcnQ"}')"#, "weakKey"),
            (#"sig verify --alg RS256 --jwk <(printf %s "$jwk")"#, "wrongKeyType"),
        ])
    func `a bad key refuses each line and ends with one line on standard error`(
        command: String, reason: String
    ) async throws {
        let answers = try await run(#"printf '%s\n\nx' "$token" | "$ctl" "# + command + " 2>/dev/null")
        #expect(!answers.isSuccess)
        #expect(answers.output == String(repeating: "refused: \(reason)\n", count: 3))
        let message = try await run(#""$ctl" "# + command + " 2>&1 >/dev/null < /dev/null")
        #expect(!message.isSuccess)
        #expect(message.output.split(separator: "\n").count == 1 && message.output.hasPrefix("Error: "))
    }

    @Test(.timeLimit(.minutes(5))) func `a key file that is not there ends the command`() async throws {
        let outcome = try await run(#""$ctl" jws verify --jwk /nonexistent <<< "$token" 2>&1"#)
        #expect(!outcome.isSuccess)
        #expect(outcome.output == "Error: /nonexistent: No such file or directory\n")
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["jws verify", "sig verify --alg ES256"])
    func `a line of any length leaves memory as it was`(command: String) async throws {
        let outcome = try await run(
            """
            set -euo pipefail
            exec 3< <(printf %s "$jwk")
            coproc CTL { exec "$ctl" \(command) --jwk /dev/fd/3; }
            { head -c 50331648 /dev/zero; echo; echo; } >&"${CTL[1]}"
            for _ in 1 2; do
                read -r -t 120 answer <&"${CTL[0]}"
                echo "$answer"
            done
            # The main thread may have ended, and then says nothing of the memory.
            cat "/proc/$CTL_PID"/task/*/status || true
            """)
        let lines = outcome.output.split(separator: "\n")
        #expect(outcome.isSuccess && lines.prefix(2) == ["refused: tooLarge", "refused: malformed"])
        let peak = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace).dropFirst().first
        let kibibytes = try #require(peak.flatMap { Int($0) }, "\(outcome.output)")
        #expect((8192...65536).contains(kibibytes), "most memory held, in KiB, where the line has 49152")
    }
}
