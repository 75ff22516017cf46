import AccessTokens
import CryptoPrimitives
import InternalAPI
import StrictJSON

/// The operator's changes of clients. Each may be sent twice.
struct ManageClients: Sendable {
    typealias Outcome = OperationOutcome<Done, ClientRefusal>

    let store: any UserStore
    let queries: any UserQueries
    let tokenService: ServiceClient
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func list() async throws -> ClientList {
        ClientList(
            clients: try await queries.clients().map { client in
                ClientList.Client(
                    clientID: client.id, role: client.role, createdAt: client.createdAt,
                    secretsMadeAt: client.secrets.map(\.madeAt), keyCount: Int64(client.keys.count),
                    revokedAt: client.revokedAt)
            })
    }

    /// - Throws: `InvalidInput` for an id of another form, or one that reads as a user's; for a role; and for a hash.
    func create(_ request: CreateClientRequest, requestID: String?) async throws -> Outcome {
        guard ClientID.isValid(request.clientID), UserID(text: request.clientID, prefix: userIDPrefix) == nil else {
            throw InvalidInput("name is not \(ClientID.form), or is a user's id", member: "clientID")
        }
        guard RightsChange.isRole(request.role) else {
            throw InvalidInput("role is not \(RightsChange.roles)", member: "role")
        }
        let (hash, now) = (try Self.hash(request.secretHash), now())
        guard try await queries.clients().count < ClientList.clientsMax else { return .refused(.tooMany) }
        let new = APIClient.new(request.clientID, role: request.role, secretHash: hash, now: now)
        let origin = RequestOrigin.byOperator(requestID)
        return try await store.decide(UserQuestion(.client(new.id), askedAt: now)) { facts, _ in
            guard let known = facts.client else {
                return Verdict(
                    .answer(Done()), [.storeClient(new), .audit(AuditEntry(.clientCreated, new, origin))])
            }
            let isRepeat = known.secrets.map(\.hash) == [hash] && known.role == new.role && known.revokedAt == nil
            return Verdict(isRepeat ? .answer(Done()) : .refused(.taken, title: "There is a client with this name"))
        }
    }

    func rotate(_ request: RotateClientRequest, requestID: String?) async throws -> Outcome {
        let (hash, now) = (try Self.hash(request.secretHash), now())
        return try await change(request.clientID, .clientRotated, requestID, now) {
            $0.adding(secretHash: hash, endsEarlier: request.endsEarlier, now: now)
        }
    }

    func setKey(_ request: ClientKeyRequest, requestID: String?) async throws -> Outcome {
        let key: String
        do throws(KeyError) { key = try Self.publicKey(request.key) } catch {
            return .refused(.keyRefused, title: "The key cannot be used: \(error)")
        }
        return try await change(request.clientID, .clientKeyAdded, requestID, now()) {
            $0.adding(key: key, endsEarlier: request.endsEarlier)
        }
    }

    /// Refuses all of a client's tokens and gives it no other. Returns once the gateways know; the row goes after that.
    ///
    /// - Throws: `ServiceUnavailable` if token-service does not confirm. The client is revoked then, and the operator repeats the
    ///   command.
    func end(_ request: EndClientRequest, requestID: String?) async throws -> Outcome {
        let (now, origin) = (now(), RequestOrigin.byOperator(requestID))
        let ended: APIClient? = try await store.decide(UserQuestion(.client(request.clientID), askedAt: now)) {
            facts, _ in
            guard var client = facts.client else { return Verdict(nil) }
            guard client.revokedAt == nil else { return Verdict(client) }
            client.revokedAt = now
            return Verdict(client, [.storeClient(client), .audit(AuditEntry(.clientRevoked, client, origin))])
        }
        guard let ended else { return .refused(.notFound, title: Self.noClient) }
        let told = try await tokenService.call(
            TokenOperations.revokeClient, RevokeClientRequest(sid: ended.sidText), requestID: requestID)
        guard case .answer = told else {
            throw ServiceUnavailable(service: "token", reason: "the revocation is refused")
        }
        guard request.removes else { return .answer(Done()) }
        return try await store.decide(UserQuestion(.client(ended.id), askedAt: now)) { facts, _ in
            guard facts.client?.sid == ended.sid else { return Verdict(.answer(Done())) }
            return Verdict(
                .answer(Done()), [.removeClient(ended.id), .audit(AuditEntry(.clientRemoved, ended, origin))])
        }
    }

    private static let noClient = "There is no such client, or it is revoked"

    private func change(
        _ id: String, _ event: AuditEntry.Event, _ requestID: String?, _ now: Int64,
        _ change: @escaping @Sendable (APIClient) -> APIClient
    ) async throws -> Outcome {
        let origin = RequestOrigin.byOperator(requestID)
        return try await store.decide(UserQuestion(.client(id), askedAt: now)) { facts, _ in
            guard let client = facts.client, client.revokedAt == nil else {
                return Verdict(.refused(.notFound, title: Self.noClient))
            }
            let changed = change(client)
            guard changed != client else { return Verdict(.answer(Done())) }
            return Verdict(.answer(Done()), [.storeClient(changed), .audit(AuditEntry(event, changed, origin))])
        }
    }

    private static func hash(_ text: String) throws(InvalidInput) -> [UInt8] {
        guard let hash = Base64URL.decode(text), hash.count == 32 else { throw InvalidInput(member: "secretHash") }
        return hash
    }

    /// Returns the public half of a key as a JWK, whatever else the text contains.
    private static func publicKey(_ text: String) throws(KeyError) -> String {
        guard text.utf8.count <= JSONWebKey.textBytesMax else { throw .malformedKey }
        guard let jwk = try VerificationKey(publicText: text).jwk else { throw .unsupportedKey }
        do { return String(decoding: try StrictJSON.encode(jwk), as: UTF8.self) } catch { throw .operationFailed }
    }
}
