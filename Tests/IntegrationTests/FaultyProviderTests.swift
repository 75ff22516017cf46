import CryptoPrimitives
import FoundationEssentials
import OutgoingConnections
import TestSupport
import Testing

extension Live {
    /// The word for each way in which another server cannot be reached, where an operator looks for it: in the log, the metrics,
    /// `messages send-test` and `otp trace`, for every kind of call.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct FaultyProviderTests {
        /// The servers with one word for every kind of call. Unit tests have the words for the others.
        private static let servers: [FaultyServer] = [.closedPort, .wrongName, .foreignAuthority, .silentTLS]

        /// The providers of messages and mails, and their settings.
        enum Providers: CaseIterable {
            case hookAndSMTP, twilioAndResend

            var names: (phone: String, mail: String) {
                self == .hookAndSMTP ? ("webhook", "smtp") : ("twilio-messaging", "resend")
            }

            func environment(_ host: String, _ port: Int, _ url: String) -> [String: String] {
                let own =
                    self == .hookAndSMTP
                    ? [
                        "SMS_HOOK_URL": url + "/hook", "SMTP_HOST": host, "SMTP_PORT": "\(port)",
                        "SMTP_SECURITY": url.hasPrefix("https") ? "tls" : "none",
                    ]
                    : [
                        "TWILIO_ACCOUNT_SID": "AC" + String(repeating: "0", count: 32), "TWILIO_API_URL": url,
                        "TWILIO_FROM": "+15005550006", "RESEND_URL": url,
                    ]
                return own.merging([
                    "OTP_SENDER": names.phone, "MAIL_SENDER": names.mail, "MAIL_FROM": "Acme <login@acme.example>",
                    "OIDC_KEYS_URL": url, "LATCHKEY_UPSTREAM": url,
                ]) { $1 }
            }

            var secrets: [String: String] {
                self == .hookAndSMTP
                    ? ["sms_hook_secret": "v1,whsec_" + Data(repeating: 7, count: 32).base64EncodedString() + "\n"]
                    : [
                        "twilio_auth_token": String(repeating: "0123456789abcdef", count: 2) + "\n",
                        "resend_api_key": "re_1234567890abcdef\n",
                    ]
            }
        }

        private static let policy = [
            "trustedProxies: []": """
            trustedProxies: []
            oidc:
              acme:
                issuers: [https://id.acme.example]
                jwksURL: https://id.acme.example/keys
                audiences: [acme-app]
                nonce: ifSent
            """,
            "access: bearer": "access: open",
        ]

        @Test(arguments: servers, Providers.allCases)
        func `the operator reads one word for it everywhere`(
            _ server: FaultyServer, _ providers: Providers
        ) async throws {
            try await server.run { host, port in
                let url = "\(server.usesTLS ? "https" : "http")://\(host):\(port)"
                try await LatchkeyStack.run(
                    name: "FaultyProviderTests-\(server.rawValue)-\(providers)",
                    environment: providers.environment(host, port, url), policy: Self.policy, secrets: providers.secrets
                ) { stack in
                    try await sendTests(stack, server.word, providers)
                    try await requestCode(stack, server.word)
                    try await presentToken(stack, server.word)
                    try await callUpstream(stack, server.word)
                }
            }
        }

        private func sendTests(_ stack: LatchkeyStack, _ word: String, _ providers: Providers) async throws {
            let recipients = [
                (providers.names.phone, LatchkeyStack.freshPhone()),
                (providers.names.mail, LatchkeyStack.freshAddress()),
            ]
            for (provider, recipient) in recipients {
                let outcome = try await stack.control("messages send-test --to '\(recipient)'")
                #expect(!outcome.isSuccess && outcome.output.contains("\(provider): \(word): "), "\(outcome.output)")
                #expect(!outcome.output.contains("may have been sent"), "\(outcome.output)")
            }
            // A sign-in mail has the word in the log and the metrics too.
            let answer = try await stack.gateway.post(
                "/auth/magic-link/request", #"{"email":"\#(LatchkeyStack.freshAddress())"}"#)
            #expect(answer.status == 503, "\(answer.text)")
            try await expect(stack, "otp", [("provider", providers.names.mail), ("code", word)])
        }

        private func requestCode(_ stack: LatchkeyStack, _ word: String) async throws {
            let phone = LatchkeyStack.freshPhone()
            let answer = try await stack.gateway.post(
                "/auth/otp/request", #"{"phoneNumber":"\#(phone)","countryCode":"US"}"#)
            #expect(answer.status == 503, "\(answer.text)")
            let words = try #require(ConnectionFailure(rawValue: word)).words(of: "the provider")
            // Events get into the trace a moment later.
            try await eventually("the trace says: \(words)") {
                try await stack.control("otp trace '\(phone)'").output.contains(words)
            }
        }

        /// An unknown key makes user-service fetch the provider's keys.
        private func presentToken(_ stack: LatchkeyStack, _ word: String) async throws {
            let now = Int(Date().timeIntervalSince1970)
            let claims =
                #"{"iss":"https://id.acme.example","aud":"acme-app","sub":"betty","iat":\#(now),"exp":\#(now + 600)}"#
            let token =
                [#"{"alg":"RS256","kid":"k"}"#, claims].map { Base64URL.encode(Array($0.utf8)) }
                .joined(separator: ".") + "." + Base64URL.encode([UInt8](repeating: 7, count: 256))
            let answer = try await stack.gateway.post("/auth/oidc/acme", #"{"identityToken":"\#(token)"}"#)
            #expect(answer.status == 503, "\(answer.text)")
            try await expect(stack, "user", [("provider", "acme"), ("code", word)])
        }

        private func callUpstream(_ stack: LatchkeyStack, _ word: String) async throws {
            let answer = try await stack.gateway.get("/api/hello")
            #expect((502...504).contains(answer.status), "\(answer.text)")
            let metrics = try await stack.operations("gateway").get("/metrics").text
            let lines = metrics.split(separator: "\n").filter { $0.hasPrefix("upstream_failures_total{") }
            #expect(
                lines.contains { line in
                    line.contains("reason=\"\(word)\"") && line.contains("service=\"app:app\"") && !line.hasSuffix(" 0")
                }, "\(lines)")
            try await eventually("the gateway logs \(word)") {
                try stack.warnings().contains { $0.contains("upstream.failed") && $0.contains(word) }
            }
        }

        /// Requires the provider's failure in the process's metrics and warnings.
        private func expect(_ stack: LatchkeyStack, _ process: String, _ labels: [(String, String)]) async throws {
            let metrics = try await stack.operations(process).get("/metrics").text
            let lines = metrics.split(separator: "\n").filter { $0.hasPrefix("auth_provider_errors_total{") }
            #expect(
                lines.contains { line in
                    labels.allSatisfy { line.contains("\($0.0)=\"\($0.1)\"") } && !line.hasSuffix(" 0")
                }, "\(lines)")
            let word = labels[1].1
            try await eventually("\(process)-service logs \(word)") {
                try stack.warnings().contains { $0.hasPrefix(process) && $0.contains(word) }
            }
        }
    }
}
