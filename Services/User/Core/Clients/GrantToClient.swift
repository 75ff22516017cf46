import AccessTokens
import CoreMetrics
import CryptoPrimitives
import InternalAPI
import Logging
import ServiceKit

/// Authenticates a client by its row and seals the grant for one token (RFC 6749 section 4.4).
///
/// Wrong proofs are counted by IP address, and the count is read before anything is compared, as at introspection: a guesser is
/// refused, and the right secret is accepted from everywhere else. Requests that run at once may exceed the limit, which 256 random
/// bits allow.
struct GrantToClient: Sendable {
    let store: any UserStore
    let assertions: UsedAssertions
    /// `grant_user_token`.
    let grantKeys: KeyRing
    /// The `iss` of access tokens, which is an assertion's audience.
    let issuer: String
    let failures: FailureLimit
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    /// A client to compare with if there is no such client, so that both cases take the same time.
    private let dummy = APIClient(
        id: "", sid: [], role: "", createdAt: 0,
        secrets: (0..<APIClient.credentialsMax).map { _ in APIClient.Secret(hash: SecureRandom.bytes(32), madeAt: 0) })

    /// - Throws: `UsedAssertions.Failure` if an assertion cannot be noted; `StorageError`. Nothing was granted then.
    func callAsFunction(
        _ request: ClientGrantRequest, requestID: String?, logger: Logger
    ) async throws -> ClientGrantAnswer {
        let now = now()
        if let wait = failures.retryAfterSeconds(address: request.address, now: now) {
            Counter(label: "auth_rate_limited_total", dimensions: [("rule", "oauth_client")]).increment()
            return ClientGrantAnswer(.rateLimited, retryAfterSeconds: wait)
        }
        let authenticated = try await authenticated(request, now, logger)
        if let authenticated, let grant = try await grant(authenticated, requestID, now) {
            return ClientGrantAnswer(.done, grant: try grant.sealed(with: grantKeys))
        }
        failures.countFailure(address: request.address, now: now)
        return ClientGrantAnswer(.invalidClient)
    }

    /// A client that has shown who it is, and by which method.
    private struct Authenticated: Sendable {
        let client: APIClient
        let method: String
    }

    private func authenticated(
        _ request: ClientGrantRequest, _ now: Int64, _ logger: Logger
    ) async throws -> Authenticated? {
        let proof = request.proof
        if let assertion = proof.assertion {
            return try await authenticated(Array(assertion.utf8), request, now, logger)
        }
        let client = try await client(proof.clientID ?? "", now)
        let isRight = (client ?? dummy).accepts(secret: proof.secret ?? "")
        guard let client, isRight else {
            logger.notice("oauth.client.refused", metadata: ["reason": "secret"])
            return nil
        }
        return Authenticated(client: client, method: "client_secret")
    }

    private func authenticated(
        _ assertion: [UInt8], _ request: ClientGrantRequest, _ now: Int64, _ logger: Logger
    ) async throws -> Authenticated? {
        let (client, verified): (APIClient, ClientAssertion)
        do {
            let id = try ClientAssertion.statedClient(assertion)
            // A client may state its id in the body as well, if it is the same.
            guard request.proof.clientID ?? id == id, let row = try await self.client(id, now) else {
                throw TokenRejection.wrongIssuer
            }
            client = row
            verified = try ClientAssertion(
                assertion, of: id, keys: row.verificationKeys,
                audiences: [issuer] + [request.tokenEndpoint].compactMap { $0 }, now: now)
        } catch let rejection as TokenRejection {
            logger.notice("oauth.client.refused", metadata: ["reason": "\(rejection.rawValue)"])
            return nil
        }
        guard try await assertions.use(verified, of: client.id, by: request.callID, now: now) else {
            logger.notice("oauth.client.refused", metadata: ["reason": "replayed"])
            return nil
        }
        return Authenticated(client: client, method: "private_key_jwt")
    }

    private func client(_ id: String, _ now: Int64) async throws -> APIClient? {
        guard ClientID.isValid(id) else { return nil }
        let client = try await store.facts(UserQuestion(.client(id), askedAt: now)).client
        return client?.revokedAt == nil ? client : nil
    }

    /// Records the token in the transaction that finds the client unchanged. One that lost its credential meanwhile gets none.
    private func grant(_ authenticated: Authenticated, _ requestID: String?, _ now: Int64) async throws -> ClientGrant?
    {
        let client = authenticated.client
        let origin = RequestOrigin(requestID: requestID, sessionID: client.sidText, method: authenticated.method)
        return try await store.decide(UserQuestion(.client(client.id), askedAt: now)) { facts, _ in
            guard facts.client == client else { return Verdict(nil) }
            let grant = ClientGrant(
                clientID: client.id, sid: client.sidText, role: client.role,
                tokenExpiresAt: now + ClientLifetimes.tokenSeconds, expiresAt: now + ClientLifetimes.grantSeconds)
            return Verdict(grant, [.audit(AuditEntry(.clientTokenIssued, client, origin))])
        }
    }
}

extension APIClient {
    /// The `sid` of the client's tokens.
    var sidText: String { Hex.encode(sid) }

    /// The keys that verify its assertions. Each was verified when it was stored.
    var verificationKeys: [VerificationKey] {
        keys.compactMap { text in
            do throws(KeyError) { return try VerificationKey(publicText: text) } catch { return nil }
        }
    }
}

extension AuditEntry {
    /// A record about a client, which is no person.
    init(_ event: Event, _ client: APIClient, _ origin: RequestOrigin) {
        self.init(event: event, subject: .zero, origin: origin, detail: "client \(client.id)")
    }
}
