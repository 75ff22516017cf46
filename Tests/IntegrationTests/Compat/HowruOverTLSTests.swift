import TestSupport
import Testing

extension Live.HowruTests {
    /// Over https alone, as the document's base URL is.
    @Suite(
        .serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_TLS_PORT": "0", "LATCHKEY_PLAIN": "redirect"]))
    struct OverTLS {
        let stack: LatchkeyStack
        let gateway: String

        init() throws {
            stack = try #require(RunningStack.current)
            gateway = try #require(stack.tls)
        }

        private func curl(_ options: String) async throws -> Shell.Outcome {
            let keys = "\(gateway)/.well-known/jwks.json"
            return try await Shell.run("curl -sS --cacert '\(stack.authority)' \(options) \(keys)", in: "/")
        }

        @Test func `the printed client does what the document says`() async throws {
            guard try await ClientProgram.canTrust() else {
                try Test.cancel("SKIPPED: this user may make no file system of a program's own")
            }
            try await ClientProgram(built: "compat-howru", gateway, stack.inbox.base).trusting(stack.authority).show()
        }

        @Test func `TLS 1.3 is spoken, and nothing older`() async throws {
            await show("H42") {
                try #require(try await curl("--tlsv1.3").isSuccess)
                let older = try await curl("--tls-max 1.2")
                try #require(!older.isSuccess && older.output.contains("alert protocol version"), "\(older.output)")
            }
        }

        @Test func `a client that pins a printed pin connects, with another it does not`() async throws {
            await show("H43") {
                let backup = stack.dataDirectory + "/backup.key"
                let other = try await stack.control("tls new-key '\(backup)'")
                try #require(other.isSuccess, "\(other.output)")
                let pairs = stack.dataDirectory + "/tls/pairs"
                let printed = try await stack.control("tls pins --dir '\(pairs)' --backup '\(backup)'")
                try #require(printed.isSuccess, "\(printed.output)")
                let pin = try await TestCertificate.pin(of: pairs + "/default.key")
                try #require(printed.output.contains("\"sha256/\(pin)\""), "\(printed.output)")
                try #require(try await curl("--pinnedpubkey 'sha256//\(pin)'").isSuccess)
                let backupPin = try await TestCertificate.pin(of: backup)
                try #require(try await !curl("--pinnedpubkey 'sha256//\(backupPin)'").isSuccess)
            }
        }
    }
}
