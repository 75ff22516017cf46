import AccessTokens
import CryptoPrimitives
import OutgoingConnections
import Policies
import ServiceCalls
import StrictJSON

/// A conversation with a directory, in which the account's key signs each request (RFC 8555 section 6).
///
/// All URLs that the directory states have to be its own, so that it cannot send the gateway to other servers.
struct ACMESession {
    static let answerBytesMax = 64 * 1024
    private static let requestLimit: Duration = .seconds(30)
    /// How often one request is sent if the directory refuses its nonce (section 6.5).
    private static let attemptsMax = 5
    private static let nonceBytesMax = 512
    private static let limits = StrictJSON.Limits(bytesMax: answerBytesMax, depthMax: 8)
    private static let json = "application/json"
    private static let certificates = "application/pem-certificate-chain"

    let key: ACMEAccountKey
    private let exchange: any ProviderExchange
    private let origin: String
    private var directory = ACMEDirectory(newNonce: "", newAccount: "", newOrder: "")
    private var account: String?
    private var nonce: String?

    /// Reads the directory at `url`.
    init(_ url: String, key: ACMEAccountKey, over exchange: any ProviderExchange) async throws {
        self.key = key
        self.exchange = exchange
        origin = PublicURL.ofKeys(url)?.origin ?? ""
        directory = try Self.decoded(ACMEDirectory.self, try await get(url))
    }

    /// Creates the account of the key, or finds the one that it has.
    mutating func register(email: String?) async throws {
        var account = JSONWriter()
        account.member("termsOfServiceAgreed", true)
        if let email { account.member("contact", ["mailto:\(email)"]) }
        let answer = try await post(account.finished(), to: directory.newAccount)
        self.account = try Self.location(of: answer)
    }

    /// Orders a certificate for `hosts`, and returns the order with its URL.
    mutating func order(_ hosts: [String]) async throws -> (url: String, order: ACMEOrder) {
        struct Request: Encodable { let identifiers: [ACMEAuthorization.Identifier] }
        let request = Request(identifiers: hosts.map { .init(type: "dns", value: $0) })
        let answer = try await post(try StrictJSON.encode(request), to: directory.newOrder)
        return (try Self.location(of: answer), try Self.decoded(ACMEOrder.self, answer))
    }

    /// Reads an object of the account (section 6.3), and returns it with the seconds after which it may be read again.
    mutating func read<Object: Decodable>(
        _ type: Object.Type, at url: String
    ) async throws -> (object: Object, retryAfterSeconds: Int64?) {
        let answer = try await post([], to: url)
        return (try Self.decoded(type, answer), answer.retryAfterSeconds)
    }

    /// Asks the authority to verify a challenge.
    mutating func accept(_ challenge: String) async throws { _ = try await post(Array("{}".utf8), to: challenge) }

    /// Sends the request for a certificate (DER).
    mutating func finalize(_ request: [UInt8], at url: String) async throws {
        var payload = JSONWriter()
        payload.member("csr", Base64URL.encode(request))
        _ = try await post(payload.finished(), to: url)
    }

    /// Reads a chain of certificates in PEM.
    mutating func certificates(at url: String) async throws -> [UInt8] {
        let answer = try await post([], to: url, accept: Self.certificates)
        try Self.require(Self.certificates, answer)
        return answer.body
    }

    /// Sends a signed request; again with the next nonce if the directory refuses this one.
    private mutating func post(
        _ payload: [UInt8], to url: String, accept: String = json
    ) async throws -> ProviderAnswer {
        for _ in 0..<Self.attemptsMax {
            let used = if let nonce { nonce } else { try await newNonce() }
            let body = try key.signed(payload, url: url, nonce: used, account: account)
            let answer = try await exchange(
                ProviderRequest(
                    .post, url: url, headers: ["Content-Type": "application/jose+json", "Accept": accept], body: body))
            nonce = answer.headers["replay-nonce"].flatMap(Self.nonce)
            if (200..<300).contains(answer.status) { return answer }
            let problem = try Self.problem(of: answer)
            guard problem.type == "badNonce" else { throw ACMEFailure.problem(problem) }
        }
        throw ACMEFailure.noNonce
    }

    private func newNonce() async throws -> String {
        guard let nonce = try await get(directory.newNonce).headers["replay-nonce"].flatMap(Self.nonce) else {
            throw ACMEFailure.noNonce
        }
        return nonce
    }

    private func get(_ url: String) async throws -> ProviderAnswer {
        let answer = try await exchange(ProviderRequest(.get, url: url, headers: [:], body: []))
        guard (200..<300).contains(answer.status) else { throw ACMEFailure.problem(try Self.problem(of: answer)) }
        return answer
    }

    private func exchange(_ request: ProviderRequest) async throws -> ProviderAnswer {
        guard !origin.isEmpty, PublicURL.ofKeys(request.url)?.origin == origin else { throw ACMEFailure.foreignURL }
        let headers = request.headers.merging(["User-Agent": "Latchkey"]) { $1 }
        let named = ProviderRequest(request.method, url: request.url, headers: headers, body: request.body)
        do { return try await exchange.send(named, within: Self.requestLimit) } catch is AnswerTooLarge {
            throw ACMEFailure.tooLarge
        } catch let failure as ConnectionFailure {
            throw ACMEFailure.unreachable(failure)
        }
    }

    // MARK: Responses

    private static func decoded<Object: Decodable>(
        _ type: Object.Type, _ answer: ProviderAnswer
    ) throws(ACMEFailure) -> Object {
        try require(json, answer)
        do { return try StrictJSON.decode(type, from: answer.body, limits: limits) } catch { throw .malformed }
    }

    private static func require(_ type: String, _ answer: ProviderAnswer) throws(ACMEFailure) {
        let stated = answer.headers["content-type"]?.prefix { $0 != ";" && $0 != " " }
        guard stated?.lowercased() == type else { throw .contentType }
    }

    /// Reads the reason of a refusal; a response without one is a wrong status, such as a redirect, which is not followed.
    private static func problem(of answer: ProviderAnswer) throws(ACMEFailure) -> ACMEProblem {
        guard (400..<600).contains(answer.status) else { throw .status(answer.status) }
        do { return try StrictJSON.decode(ACMEProblem.self, from: answer.body, limits: limits) } catch {
            throw .status(answer.status)
        }
    }

    private static func location(of answer: ProviderAnswer) throws(ACMEFailure) -> String {
        guard let url = answer.headers["location"] else { throw .malformed }
        return url
    }

    /// Returns a nonce if it is base64url (section 6.5.1).
    private static func nonce(_ text: String) -> String? {
        (1...nonceBytesMax).contains(text.utf8.count) && ACMEAccountKey.isBase64URL(text) ? text : nil
    }
}
