import AuthAPI
import FoundationEssentials
import Glibc
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// Certificates of services that cannot be verified, and those that are renewed while requests come.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct InternalCertificateTests {
        private static let clients = 8

        let stack: LatchkeyStack
        private let folder: String
        private let trusted: String

        init() throws {
            stack = try #require(RunningStack.current)
            folder = stack.dataDirectory + "/certificates"
            trusted = folder + "/trusted.crt"
        }

        /// The flaws of a service's certificate.
        enum Flaw: String, CaseIterable, Sendable {
            case foreignAuthority, otherName, expired, notYetValid

            var request: TestCertificate.Request {
                switch self {
                case .foreignAuthority: .init()
                case .otherName: .init(names: ["auth-1.internal", "10.0.0.2"])
                case .expired: .expired
                case .notYetValid: .init(beginsAfterSeconds: 3_600)
                }
            }

            /// The words in the log of a caller.
            var words: String {
                switch self {
                case .foreignAuthority: "not signed by a trusted authority"
                case .otherName: "only for auth-1.internal, 10.0.0.2"
                case .expired: "expired at 20"
                case .notYetValid: "not valid before 20"
                }
            }
        }

        @Test(arguments: Flaw.allCases)
        func `a certificate that cannot be verified is 503, and the callers' logs say why`(flaw: Flaw) async throws {
            let authority = try await TestAuthority.make(in: folder)
            try trust([authority])
            let issuer = flaw == .foreignAuthority ? try await TestAuthority.make("foreign", in: folder) : authority
            try await issuer.issue("token", flaw.request).place(in: folder, as: "service")
            var settings = served
            if flaw == .notYetValid {
                // Its own clock shows a later time, at which the certificate is valid: otherwise it does not start.
                let clock = try await ShiftedClock()
                try await clock.set(to: 7_200)
                settings.merge(clock.environment) { $1 }
            }
            let session = try await stack.openSession(of: LatchkeyStack.freshUser())
            try await ProcessTwin(of: "token", in: stack).run(settings: settings) { token in
                let callers = ["TOKEN_URL": url(token.service.base), "LATCHKEY_INTERNAL_CA": trusted]
                try await ProcessTwin(of: "user", in: stack).run(settings: callers) { user in
                    let caller = ServiceCaller(stack: stack, client: user.service)
                    // Asks until then: the first refusals may have another cause, since token-service starts meanwhile.
                    try await eventually("user-service refuses, and logs why") {
                        let answer = try? await caller.send(
                            "GET", "user", UserOperations.readProfile.path, accessToken: session.accessToken)
                        return isRefusal(answer)
                            && user.log.hasLine(with: "token_keys.fetch_failed", "untrusted_certificate", flaw.words)
                    }
                }
                try await ProcessTwin(of: "gateway", in: stack).run(settings: callers) { gateway in
                    try await eventually("the gateway refuses, and logs why") {
                        let answer = try? await gateway.service.post(
                            "/auth/refresh", encoding: RefreshBody(refreshToken: session.refreshToken))
                        return isRefusal(answer)
                            && gateway.log.hasLine(with: "upstream.failed", "untrusted_certificate", flaw.words)
                    }
                    try await eventually("/readyz says why") {
                        let page = try? await gateway.operations.get("/readyz")
                        return page?.text.contains("keys (token is unavailable: untrusted_certificate)") ?? false
                    }
                }
            }
        }

        @Test func `certificates and authorities are renewed while clients sign in, and no request fails`()
            async throws
        {
            let first = try await TestAuthority.make(in: folder)
            let second = try await TestAuthority.make("second", in: folder)
            try trust([first])
            try await first.issue("host").place(in: folder, as: "service")
            let ofService = served.merging(["LATCHKEY_INTERNAL_CA": trusted]) { $1 }
            let settings = { $0 == "gateway" ? caller : ofService }
            try await TwinServices.run(in: stack, settings: settings, url: url) { services in
                let progress = Progress()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<Self.clients {
                        group.addTask {
                            while !progress.isOver { await progress.note { try await goOn(services.stack) } }
                        }
                    }
                    group.addTask {
                        defer { progress.finish() }
                        for issuer in [first, second, first, second] {
                            try trust([first, second])
                            try await signal(services, until: progress)
                            try await issuer.issue("host").place(in: folder, as: "service")
                            try await signal(services, until: progress)
                        }
                    }
                    try await group.waitForAll()
                }
                // A machine with other work may be too slow for some; the renewals cause none.
                let lines = services.twins.values.flatMap(\.log.lines)
                let slow = lines.count { $0.contains("timed_out") || $0.contains("timeout") }
                #expect(progress.failures.count <= slow, "\(progress.failures.count): \(progress.failures.prefix(3))")
                let causes = ["untrusted_certificate", "handshake_failed", "connection_closed"]
                #expect(lines.filter { line in causes.contains { line.contains($0) } } == [])
                // A new process that knows only the last authority reaches all services.
                try trust([second])
                let urls = services.twins.filter { $0.key != "gateway" }
                    .map { ("\($0.key.uppercased())_URL", url($0.value.service.base)) }
                try await ProcessTwin(of: "gateway", in: stack).run(settings: caller.merging(urls) { $1 }) { late in
                    var stack = services.stack
                    stack.gateway = late.service.asApp
                    try await eventually("it is ready") {
                        do { return try await late.operations.get("/readyz").status == 200 } catch { return false }
                    }
                    try await goOn(stack)
                }
            }
        }

        @Test func `a certificate that is written only in part leaves the old one in use`() async throws {
            let authority = try await TestAuthority.make(in: folder)
            try trust([authority])
            try await authority.issue("token").place(in: folder, as: "service")
            let refreshToken = try await stack.openSession(of: LatchkeyStack.freshUser()).refreshToken
            try await ProcessTwin(of: "token", in: stack).run(settings: served) { token in
                let file = URL(filePath: folder + "/service.crt")
                try await eventually("token-service is ready") {
                    do { return try await token.operations.get("/readyz").status == 200 } catch { return false }
                }
                let text = try Data(contentsOf: file)
                try text.prefix(text.count / 2).write(to: file)
                token.signal(SIGHUP)
                try await token.log.waitForLine(with: "tls.refused", "or only a part of it", #""old":"stays""#)
                let settings = caller.merging(["TOKEN_URL": url(token.service.base)]) { $1 }
                try await ProcessTwin(of: "gateway", in: stack).run(settings: settings) { gateway in
                    try await eventually("a refresh through TLS") {
                        let answer = try? await gateway.service.post(
                            "/auth/refresh", encoding: RefreshBody(refreshToken: refreshToken))
                        return answer?.status == 200
                    }
                }
            }
        }

        private func isRefusal(_ answer: HTTPAnswer?) -> Bool {
            answer?.status == 503 && answer?.headers["retry-after"] != nil
        }

        /// The settings of a service, and of a caller that is none.
        private var served: [String: String] {
            [
                "LATCHKEY_INTERNAL_TLS_CERTIFICATE": folder + "/service.crt",
                "INTERNAL_TLS_KEY_FILE": folder + "/service.key",
            ]
        }

        private var caller: [String: String] { ["LATCHKEY_INTERNAL_CA": trusted] }

        private func url(_ base: String) -> String {
            base.replacing("http://127.0.0.1", with: "https://localhost")
        }

        private func trust(_ authorities: [TestAuthority]) throws {
            let text = try authorities.map { try Data(contentsOf: URL(filePath: $0.certificate)) }.reduce(Data(), +)
            try text.write(to: URL(filePath: trusted), options: .atomic)
        }

        /// One client signs in and refreshes.
        private func goOn(_ stack: LatchkeyStack) async throws {
            let token = try await stack.signIn().tokens.refreshToken
            let answer = try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: token))
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/refresh", answer) }
        }

        /// Sends SIGHUP to all processes twice, and waits until clients have gone on.
        private func signal(_ services: TwinServices, until progress: Progress) async throws {
            for _ in 0..<2 { for twin in services.twins.values { twin.signal(SIGHUP) } }
            let before = progress.successes
            try await eventually("clients go on") { progress.successes >= before + Self.clients }
        }
    }
}
