import AuthAPI
import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Live {
    /// Processes that reach each other over TLS, as on several hosts.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct InternalTLSTests {
        /// A gateway whose idle connections close after 4 s makes new ones for requests that are further apart.
        private static let pause: Duration = .seconds(5)

        let stack: LatchkeyStack
        private let folder: String
        private let trusted: String

        init() throws {
            stack = try #require(RunningStack.current)
            folder = stack.dataDirectory + "/internal-ca"
            trusted = stack.dataDirectory + "/internal-trusted.crt"
        }

        @Test func `users sign in through TLS, also after a renewal, and not while the authority is not trusted`()
            async throws
        {
            try await makeCertificates(in: folder)
            try trust(folder)
            try await withServices { gateway, services, settings in
                try await signIn(gateway)
                try await makeCertificates(in: folder)
                for service in services { service.signal(SIGHUP) }
                try await Task.sleep(for: Self.pause)
                try await signIn(gateway)
                try await makeCertificates(in: folder + "-2")
                try trust(folder + "-2")
                // One that has no connections from before.
                try await ProcessTwin(of: "gateway", in: stack).run(settings: settings) { late in
                    try await eventually("503 while no service is trusted") { try await isRefused(late) }
                    try trust(folder)
                    late.signal(SIGHUP)
                    try await eventually("200 again") {
                        try await requestCode(late, for: LatchkeyStack.freshPhone()).status == 200
                    }
                    try await signIn(late)
                }
            }
        }

        /// Whether the gateway answers 503 with the time after which to ask again.
        private func isRefused(_ gateway: ProcessTwin.Running) async throws -> Bool {
            let answer: HTTPAnswer
            // It may not listen yet.
            do { answer = try await requestCode(gateway, for: LatchkeyStack.freshPhone()) } catch { return false }
            return answer.status == 503 && answer.headers["retry-after"] != nil
        }

        /// Runs `body` with a gateway and services of their own, which reach each other only over TLS.
        private func withServices(
            _ body: (ProcessTwin.Running, [ProcessTwin.Running], [String: String]) async throws -> Void
        ) async throws {
            let served = [
                "LATCHKEY_INTERNAL_TLS_CERTIFICATE": folder + "/localhost.crt",
                "INTERNAL_TLS_KEY_FILE": folder + "/localhost.key",
            ]
            try await run("otp", served) { otp in
                try await run("token", served) { token in
                    let urls = [
                        "OTP_URL": url(otp), "TOKEN_URL": url(token), "LATCHKEY_INTERNAL_CA": trusted,
                    ]
                    try await run("user", served.merging(urls) { $1 }) { user in
                        let settings = urls.merging(["USER_URL": url(user)]) { $1 }
                        try await run("gateway", settings) { gateway in
                            try await body(gateway, [otp, token, user], settings)
                        }
                    }
                }
            }
        }

        private func run(
            _ name: String, _ settings: [String: String], _ body: (ProcessTwin.Running) async throws -> Void
        ) async throws {
            try await ProcessTwin(of: name, in: stack).run(settings: settings) { twin in
                try await eventually("\(name) is ready") {
                    do { return try await twin.operations.get("/readyz").status == 200 } catch { return false }
                }
                try await body(twin)
            }
        }

        private func url(_ service: ProcessTwin.Running) -> String { "https://localhost:\(service.port)" }

        private func makeCertificates(in folder: String) async throws {
            let outcome = try await stack.control("internal-ca '\(folder)' --host localhost,127.0.0.1")
            #expect(outcome.isSuccess && outcome.output.contains("localhost.crt: localhost, 127.0.0.1, valid until "))
        }

        private func trust(_ folder: String) throws {
            try Data(contentsOf: URL(filePath: folder + "/internal-ca.crt")).write(
                to: URL(filePath: trusted), options: .atomic)
        }

        private func requestCode(_ gateway: ProcessTwin.Running, for phone: String) async throws -> HTTPAnswer {
            try await gateway.service.post(
                "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: phone, countryCode: "US"))
        }

        private func signIn(_ gateway: ProcessTwin.Running) async throws {
            let phone = LatchkeyStack.freshPhone()
            let request = try await requestCode(gateway, for: phone)
            guard request.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/otp/request", request) }
            let body = OTPVerifyBody(
                phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone), name: nil)
            let answer = try await gateway.service.post("/auth/otp/verify", encoding: body)
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/otp/verify", answer) }
        }
    }
}
