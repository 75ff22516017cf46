import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import TestSupport

/// A client of users and their identities, who asks user-service's replicas as the gateway does, and notes what comes of it.
///
/// A request without an answer is repeated, so that an operation ends with its repeat.
struct IdentityClient: Sendable {
    /// A session, as its client knows it.
    struct Session: Sendable {
        let user: String
        let id: String
        var access: String
        var refresh: String
    }

    /// The part of a merge token that the history needs: the user who would be merged. The token is sealed for user-service.
    private struct Offer: Decodable {
        struct ID: Decodable { let bytes: [UInt8] }

        let other: ID
    }

    private struct NoAnswer: Error {}

    let stack: LatchkeyStack
    /// The replicas of user-service.
    let replicas: [TestHTTPClient]
    let recorder: IdentityRecorder

    /// Signs in.
    ///
    /// - Parameter takesNumber: whether a new account begins if the number's user was away.
    @discardableResult
    func signIn(
        _ identity: VerifiedIdentity, takesNumber: Bool = false, isCensus: Bool = false
    ) async throws -> Session? {
        let proof = try await proof(of: identity)
        var begun = IdentityOperation(.signIn)
        (begun.identity, begun.takesNumber, begun.isCensus) = (identity, takesNumber, isCensus)
        var session: Session?
        await recorder.record(begun) { operation in
            let request = ResolveRequest(attestation: proof, name: nil, newAccount: takesNumber ? true : nil)
            let answer = try await user(UserOperations.resolve.path, request)
            guard answer.status == 200 else { return .refused }
            let resolved = try answer.decoded(ResolveAnswer.self)
            session = try await opened(resolved)
            operation.session = session?.id
            return .reached(resolved.user.id, isNew: resolved.isNewUser)
        }
        return session
    }

    /// The session of a grant, which may be too old by then.
    func opened(_ resolved: ResolveAnswer) async throws -> Session? {
        let request = IssueRequest(grant: resolved.grant, dialect: "native", idempotencyKey: CallID.random())
        let answer = try await token(TokenOperations.issue.path, request)
        guard answer.status == 200 else { return nil }
        let tokens = try answer.decoded(TokenSet.self)
        return Session(
            user: resolved.user.id, id: tokens.sessionID, access: tokens.accessToken, refresh: tokens.refreshToken)
    }

    /// Refreshes a session; returns whether it lives.
    @discardableResult
    func refresh(_ session: inout Session, isCensus: Bool = false) async -> Bool {
        var begun = begun(.refresh, session)
        begun.isCensus = isCensus
        var tokens: TokenSet?
        let request = RefreshRequest(refreshToken: session.refresh, idempotencyKey: CallID.random())
        await recorder.record(begun) { _ in
            let answer = try await token(TokenOperations.refresh.path, request)
            guard answer.status == 200 else { return .refused }
            tokens = try answer.decoded(RefreshAnswer.self).tokens
            return tokens == nil ? .refused : .accepted
        }
        guard let tokens else { return false }
        (session.access, session.refresh) = (tokens.accessToken, tokens.refreshToken)
        return true
    }

    /// Adds an identity; returns the token that merges its account.
    @discardableResult
    func add(_ identity: VerifiedIdentity, _ session: Session) async throws -> String? {
        let request = AddIdentityRequest(
            proof: try await proof(of: identity, for: session.user), callID: CallID.random())
        var begun = begun(.add, session)
        begun.identity = identity
        var token: String?
        await recorder.record(begun) { _ in
            let answer = try await own(IdentityOperations.addOwn.path, request, session)
            token = answer?.mergeToken
            return Self.outcome(answer)
        }
        return token
    }

    /// Removes one of the user's identities.
    ///
    /// - Parameters:
    ///   - place: selects it.
    ///   - apple: the only identity at Apple that the user can have, since the list does not tell its subject.
    func remove(_ place: Int, apple: VerifiedIdentity, _ session: Session) async throws {
        let listed = try await answered {
            try await caller($0).send("GET", "user", IdentityOperations.listOwn.path, accessToken: session.access)
        }
        guard listed.status == 200 else { return }
        let identities = try listed.decoded(OwnIdentities.self).identities
        guard !identities.isEmpty else { return }
        let found = identities[place % identities.count]
        let identity = found.value.map { VerifiedIdentity(kind: found.kind, value: $0) } ?? apple
        var begun = begun(.remove, session)
        (begun.identity, begun.endsSessions) = (identity, true)
        let request = RemoveIdentityRequest(id: found.id, callID: CallID.random())
        await recorder.record(begun) { _ in
            Self.outcome(try await own(IdentityOperations.removeOwn.path, request, session))
        }
    }

    /// Merges the account of a merge token.
    ///
    /// - Parameter proof: an identity at Apple that the other account may have in addition.
    func merge(
        _ token: String, keepsOther: Bool, proof: VerifiedIdentity, _ session: Session
    ) async throws {
        var begun = begun(.merge, session)
        (begun.other, begun.takesNumber, begun.endsSessions) = (try other(in: token, session), keepsOther, true)
        let further = ReauthenticateRequest(
            provider: "apple", token: try await appleToken(of: proof), address: "127.0.0.1", callID: CallID.random())
        for proof in [nil, further] {
            let request = MergeRequest(
                mergeToken: token, keepsOtherPhone: keepsOther ? true : nil, proof: proof, callID: CallID.random())
            var isProofMissing = false
            await recorder.record(begun) { _ in
                let answer = try await own(IdentityOperations.mergeOwn.path, request, session)
                isProofMissing = answer?.result == .mergeProofRequired
                return Self.outcome(answer)
            }
            if !isProofMissing { return }
        }
    }

    private func other(in token: String, _ session: Session) throws -> String {
        let seal = StorageSeal(ring: try stack.keyRing("user_storage_key"), info: "latchkey user merge tokens")
        let user = Hex.decode(String(session.user.suffix(32))) ?? []
        let context = Array("merge ".utf8) + user + Array(session.id.utf8)
        guard let opened = Base64URL.decode(token).flatMap({ seal.open($0, context: context) }) else {
            throw NoAnswer()
        }
        return "usr_" + Hex.encode(try JSONDecoder().decode(Offer.self, from: Data(opened)).other.bytes)
    }

    /// Schedules the account for deletion.
    func delete(_ session: Session) async {
        var begun = begun(.delete, session)
        (begun.session, begun.endsSessions) = (nil, true)
        await recorder.record(begun) { _ in
            let answer = try await answered {
                try await caller($0)
                    .send("DELETE", "user", UserOperations.deleteAccount.path, accessToken: session.access)
            }
            return answer.status == 200 ? .accepted : .refused
        }
    }

    /// Objects to a change of the phone number that support has begun.
    func object(_ session: Session) async {
        await recorder.record(begun(.object, session)) { _ in
            let answer = try await answered {
                try await caller($0).send(
                    "POST", "user", IdentityOperations.endPendingPhone.path, accessToken: session.access)
            }
            return answer.status == 200 ? .accepted : .refused
        }
    }

    /// Begins to replace the user's phone number, as the operator.
    func replaceNumber(of user: String, with number: VerifiedIdentity) async {
        var begun = IdentityOperation(.replaceNumber)
        (begun.user, begun.identity) = (user, number)
        await recorder.record(begun) { _ in
            let request = ReplacePhoneRequest(userID: user, phone: number.value)
            let answer = try await answered {
                try await ServiceCaller(stack: stack, caller: .control, client: $0)
                    .post("user", UserOperations.replacePhone.path, request)
            }
            return answer.status == 200 ? .accepted : .refused
        }
    }

    /// Lets the user have been away for half a year.
    func leave(_ user: String) async {
        var begun = IdentityOperation(.leave)
        begun.user = user
        await recorder.record(begun) { _ in
            try await stack.age(user)
            return .accepted
        }
    }

    // MARK: - Calls

    func begun(_ kind: IdentityOperation.Kind, _ session: Session) -> IdentityOperation {
        var operation = IdentityOperation(kind)
        (operation.user, operation.session) = (session.user, session.id)
        return operation
    }

    /// Changes are answered once the sessions that they end have ended.
    static func outcome(_ answer: AccountAnswer?) -> IdentityOperation.Outcome {
        switch answer?.result {
        case .done: .accepted
        case .changePending: .unknown
        default: .refused
        }
    }

    /// Returns the answer to a signed-in user's request; `nil` if the session may not make it.
    func own(_ path: String, _ body: some Encodable, _ session: Session) async throws -> AccountAnswer? {
        let answer = try await call(path, body, session)
        return answer.status == 200 ? try answer.decoded(AccountAnswer.self) : nil
    }

    /// Posts a signed-in user's request.
    func call(_ path: String, _ body: some Encodable, _ session: Session) async throws -> HTTPAnswer {
        let body = Array(try JSONEncoder().encode(body))
        return try await answered {
            try await caller($0).send("POST", "user", path, body: body, accessToken: session.access)
        }
    }

    func user(_ path: String, _ body: some Encodable) async throws -> HTTPAnswer {
        let body = Array(try JSONEncoder().encode(body))
        return try await answered { try await caller($0).send("POST", "user", path, body: body) }
    }

    private func token(_ path: String, _ body: some Encodable) async throws -> HTTPAnswer {
        let body = Array(try JSONEncoder().encode(body))
        return try await answered { _ in
            try await ServiceCaller(stack: stack).send("POST", "token", path, body: body)
        }
    }

    private func caller(_ replica: TestHTTPClient) -> ServiceCaller { ServiceCaller(stack: stack, client: replica) }

    /// Sends the same request to any replica until it is answered.
    private func answered(_ send: (TestHTTPClient) async throws -> HTTPAnswer) async throws -> HTTPAnswer {
        let answer = try await untilAnswered {
            guard let replica = replicas.randomElement() else { throw NoAnswer() }
            let answer: HTTPAnswer
            do { answer = try await send(replica) } catch is CancellationError { throw CancellationError() } catch {
                return nil as HTTPAnswer?
            }
            return answer.status < 500 ? answer : nil
        }
        guard let answer else { throw NoAnswer() }
        return answer
    }

    // MARK: - Proofs

    private func appleToken(of identity: VerifiedIdentity) async throws -> String {
        try await FakeProviders(of: stack).identityToken(#"{"subject":"\#(identity.value)"}"#).identityToken
    }

    /// - Parameter user: the user who adds the identity; `nil` for a sign-in.
    private func proof(of identity: VerifiedIdentity, for adding: String? = nil) async throws -> String {
        guard identity.kind == .apple else {
            return try stack.attestation(adding == nil ? .signIn : .identity, of: identity, for: adding)
        }
        let request = IdentityTokenRequest(
            provider: "apple", token: try await appleToken(of: identity), nonce: nil, callID: CallID.random())
        let answer = try await user(IdentityOperations.prove.path, request)
        return try answer.decoded(IdentityTokenAnswer.self).proof ?? "refused"
    }
}
