import AccessTokens
import CryptoPrimitives
import OutgoingConnections
import ServiceCalls
import StrictJSON
import Synchronization
import TLSPairs
import Testing

@testable import GatewayCore

@Suite struct ACMEOrderTests {
    private func order(_ directory: TrialDirectory, url: String = TrialDirectory.url) async throws -> [HostChallenge] {
        let shown = Mutex<[HostChallenge]>([])
        var session = try await ACMESession(url, key: ACMEAccountKey(pem: NewTLSKey.pem()), over: directory)
        try await session.register(email: "ops@example.com")
        let ordering = CertificateOrdering(
            hosts: ["auth.example.com"], key: try NewTLSKey.pem(), limit: .milliseconds(300), lookSeconds: 0...0
        ) { challenges in shown.withLock { $0 = challenges } }
        let chain = try await ordering.run(&session, by: .http)
        #expect(chain == Array("PEM".utf8))
        return shown.withLock(\.self)
    }

    /// The failure of an order at a directory with this change.
    private func failure(_ change: @escaping TrialDirectory.Change) async -> ACMEFailure? {
        do { _ = try await order(TrialDirectory(change)) } catch { return error as? ACMEFailure }
        return nil
    }

    @Test func `an order goes from nothing to a certificate, and each step is sent once`() async throws {
        let directory = TrialDirectory()
        let shown = try await order(directory)
        #expect(shown.map(\.token) == [TrialDirectory.token] && shown.map(\.host) == ["auth.example.com"])
        for path in ["dir", "nonce", "account", "order", "authorization", "challenge", "finalize", "certificate"] {
            #expect(directory.count(path) == 1, "\(path)")
        }
        let payloads = directory.bodies("account").compactMap(Self.payload)
        #expect(payloads == [#"{"termsOfServiceAgreed":true,"contact":["mailto:ops@example.com"]}"#])
        #expect(
            directory.bodies("order").compactMap(Self.payload)
                == [#"{"identifiers":[{"type":"dns","value":"auth.example.com"}]}"#])
    }

    @Test func `a refused nonce is replaced by the next, five times at most`() async throws {
        let problem = #"{"type":"urn:ietf:params:acme:error:badNonce","detail":"used"}"#
        let once = TrialDirectory { path, earlier, answer in
            guard path == "order", earlier < 4 else { return }
            (answer.status, answer.body) = (400, Array(problem.utf8))
        }
        _ = try await order(once)
        #expect(once.count("order") == 5 && once.count("nonce") == 1)
        let always = await failure { path, _, answer in
            if path == "order" { (answer.status, answer.body) = (400, Array(problem.utf8)) }
        }
        #expect(always == .noNonce)
    }

    /// One answer that a directory must not give.
    private struct Lie: Sendable, CustomTestStringConvertible {
        let path: String
        let expected: ACMEFailure
        let change: @Sendable (inout ProviderAnswer) throws -> Void

        init(
            _ path: String, _ expected: ACMEFailure, _ change: @escaping @Sendable (inout ProviderAnswer) throws -> Void
        ) { (self.path, self.expected, self.change) = (path, expected, change) }

        var testDescription: String { "\(path): \(expected.code)" }
    }

    private static let lies: [Lie] = wrongURLs + wrongTypes + wrongObjects + wrongAuthorizations

    private static let wrongURLs = [
        Lie("dir", .foreignURL) { $0.replace("ca.example/order", "other.example/order") },
        Lie("dir", .foreignURL) { $0.replace("https://ca.example/nonce", "http://ca.example/nonce") },
        Lie("dir", .foreignURL) { $0.replace("ca.example/account", "ca.example:8443/account") },
        Lie("order", .foreignURL) { $0.headers["location"] = "https://other.example/o/7" },
        Lie("order", .foreignURL) { $0.replace("ca.example/authorization", "127.0.0.1/authorization") },
        Lie("order", .status(302)) { $0.status = 302 },
        Lie("nonce", .status(500)) { $0.status = 500 },
    ]

    private static let wrongTypes = [
        Lie("dir", .contentType) { $0.headers["content-type"] = "text/html" },
        Lie("order", .contentType) { $0.headers["content-type"] = nil },
        Lie("certificate", .contentType) { $0.headers["content-type"] = "application/json" },
        Lie("authorization", .tooLarge) { _ in throw AnswerTooLarge(status: 200) },
        Lie("finalize", .unreachable(.timedOut)) { _ in throw ConnectionFailure.timedOut },
    ]

    private static let wrongObjects = [
        Lie("nonce", .noNonce) { $0.headers["replay-nonce"] = nil },
        Lie("nonce", .noNonce) { $0.headers["replay-nonce"] = "a b" },
        Lie("dir", .malformed) { $0.body = Array("[]".utf8) },
        Lie("order", .malformed) { $0.headers["location"] = nil },
        Lie("order", .malformed) { $0.replace("pending", "eternal") },
        Lie("7", .endless) { $0.body = Array(TrialDirectory.order("processing").utf8) },
        Lie("7", .endless) { $0.body = Array(TrialDirectory.order("pending").utf8) },
        Lie("7", .order(nil)) { $0.replace("valid", "expired") },
    ]

    private static let wrongAuthorizations = [
        Lie("authorization", .malformed) { $0.body = Array(TrialDirectory.authorization(host: "bank.example").utf8) },
        Lie("authorization", .malformed) { $0.body = Array(TrialDirectory.authorization(token: "../../x").utf8) },
        Lie("authorization", .malformed) { $0.body = Array(TrialDirectory.authorization(token: "").utf8) },
        Lie("authorization", .noChallenge) { $0.replace("http-01", "http-02") },
    ]

    @Test(arguments: lies) private func `each lie of a directory has one failure, and ends the order`(lie: Lie) async {
        let found = await failure { path, _, answer in if path == lie.path { try lie.change(&answer) } }
        #expect(found == lie.expected)
    }

    @Test func `what an authority cannot verify is told with its reason, cut and without control characters`() async {
        let found = await failure { path, _, answer in
            if path == "7" { answer.body = Array(TrialDirectory.order("invalid").utf8) }
            if path == "authorization", !answer.body.isEmpty {
                answer.body = Array(TrialDirectory.authorization(status: "invalid").utf8)
            }
        }
        let problem = ACMEProblem(type: "connection", detail: "no route?")
        #expect(found == .challenge(host: "auth.example.com", problem) && found?.isOfChallenge == true)
        let long = ACMEProblem(type: "x", detail: String(repeating: "\u{E9}", count: 5_000))
        #expect(long.detail == String(repeating: "?", count: 200))
    }

    @Test func `a refusal names the directory's reason`() async {
        let found = await failure { path, _, answer in
            guard path == "order" else { return }
            let text = #"{"type":"urn:ietf:params:acme:error:rateLimited","detail":"too many certificates"}"#
            (answer.status, answer.body) = (429, Array(text.utf8))
        }
        #expect(found == .problem(ACMEProblem(type: "rateLimited", detail: "too many certificates")))
    }

    @Test func `the next step follows from the status alone`() throws {
        func next(_ status: String, _ hasProved: Bool, _ hasFinalized: Bool) throws -> ACMEOrder.Step {
            let limits = StrictJSON.Limits(bytesMax: 4_096, depthMax: 8)
            let order = try StrictJSON.decode(
                ACMEOrder.self, from: Array(TrialDirectory.order(status).utf8), limits: limits)
            return order.next(hasProved: hasProved, hasFinalized: hasFinalized)
        }
        #expect(try next("pending", false, false) == .prove(["https://ca.example/authorization"]))
        #expect(try next("pending", true, false) == .wait && next("pending", true, true) == .wait)
        #expect(try next("ready", false, false) == .finalize("https://ca.example/finalize"))
        #expect(try next("ready", true, true) == .wait && next("processing", false, false) == .wait)
        #expect(try next("valid", false, false) == .download("https://ca.example/certificate"))
        for status in ["invalid", "expired", "revoked", "deactivated"] {
            #expect(try next(status, true, true) == .give(nil))
        }
    }

    @Test func `a request is signed with the account's key, which it contains until the account is known`() throws {
        let key = try ACMEAccountKey(pem: NewTLSKey.pem())
        let first = try Self.object(key.signed([], url: "https://ca.example/a", nonce: "n", account: nil))
        let header = try Self.object(try #require(first["protected"]?.stringValue.flatMap(Base64URL.decode)))
        #expect(header.members.map(\.name) == ["alg", "jwk", "nonce", "url"])
        #expect(header["alg"] == .string("ES256") && first["payload"] == .string(""))
        let jwk = try #require(header["jwk"]?.objectValue)
        #expect(jwk.members.map(\.name) == ["kty", "crv", "x", "y"])
        let second = try Self.object(
            key.signed([], url: "https://ca.example/a", nonce: "n", account: "https://ca.example/1"))
        let other = try Self.object(try #require(second["protected"]?.stringValue.flatMap(Base64URL.decode)))
        #expect(other.members.map(\.name) == ["alg", "kid", "nonce", "url"])
        #expect(second["signature"]?.stringValue.flatMap(Base64URL.decode)?.count == 64)
        let answer = key.authorization(of: "token").split(separator: ".")
        #expect(answer.count == 2 && answer[0] == "token" && answer[1].utf8.count == 43)
    }

    // MARK: Helpers

    private static func object(_ text: [UInt8]) throws -> JSONObject {
        let limits = StrictJSON.Limits(bytesMax: 1 << 16, depthMax: 8)
        return try #require(try StrictJSON.parse(text, limits: limits).objectValue)
    }

    private static func payload(_ body: [UInt8]) -> String? {
        let payload = (try? object(body))?["payload"]?.stringValue
        return payload.flatMap(Base64URL.decode).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension ProviderAnswer {
    fileprivate mutating func replace(_ old: String, _ new: String) {
        body = Array(String(decoding: body, as: UTF8.self).replacing(old, with: new).utf8)
    }
}
