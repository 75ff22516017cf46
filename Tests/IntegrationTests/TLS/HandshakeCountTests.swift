import TestSupport
import Testing

extension Live {
    /// Handshakes that come to nothing, at a real gateway: each is counted by how it ended.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct HandshakeCountTests {
        /// The shell's functions: `open` makes a connection, `begin` sends the start of a ClientHello that states a greater
        /// length.
        private static let beginning = """
            open() { exec {fd}<>"/dev/tcp/127.0.0.1/${TARGET##*:}"; }
            begin() { printf '\\x16\\x03\\x01\\x02\\x00\\x01' >&"$fd"; }

            """

        @Test func `who leaves, who is too late and who is one too many are counted apart`() async throws {
            let policy = [
                "headerTimeoutSeconds: 10 ": "headerTimeoutSeconds: 2 ",
                "connectionsMax: 16384 ": "connectionsMax: 256 ",
            ]
            try await TLSStack.run("HandshakeCountTests", policy: policy) { stack, _ in
                func counts() async throws -> [String: Int] {
                    var counts: [String: Int] = [:]
                    for result in ["ok", "refused", "not_tls", "left", "timeout", "crowded"] {
                        counts[result] = try await stack.metric("tls_handshakes_total{result=\"\(result)\"}")
                    }
                    return counts.filter { $0.value != 0 }
                }
                func run(_ script: String) async throws {
                    let outcome = try await stack.shell(Self.beginning + script)
                    try #require(outcome.isSuccess, "\(outcome.output)")
                }
                // A connection on which nothing has begun is none.
                try await run("open; exec {fd}>&-; open; begin; sleep 0.2; exec {fd}>&-")
                try await eventually("one has left") { try await counts() == ["left": 1] }
                // The end is the gateway's.
                try await run("open; begin; timeout 15 cat <&\"$fd\"")
                #expect(try await counts() == ["left": 1, "timeout": 1])
                _ = try await stack.curl()
                _ = try await stack.curl("--tls-max 1.2")
                try await run("open; printf 'ssh-2.0-x\\r\\n' >&\"$fd\"; timeout 15 cat <&\"$fd\"")
                let others = ["left": 1, "timeout": 1, "ok": 1, "refused": 1, "not_tls": 1]
                try await eventually("others") { try await counts() == others }
                // An eighth of the slots, or 16 on each event loop.
                try await run("for each in {1..200}; do open; begin; done; sleep 0.5")
                try await eventually("some were too many") { try await counts()["crowded", default: 0] > 0 }
                try await eventually("each is counted once") {
                    let now = try await counts()
                    return now.values.reduce(0, +) == 205 && now["ok"] == 1
                }
                #expect(try await stack.curl() == "401")
            }
        }
    }
}
