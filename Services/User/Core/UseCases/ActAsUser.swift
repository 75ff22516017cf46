import CryptoPrimitives
import InternalAPI

/// Gives a user with the policy's role a token with which they act as another user for a short time.
///
/// Both users have a record of it, which is durable before token-service opens the session.
struct ActAsUser: Sendable {
    typealias Outcome = OperationOutcome<ActingToken, AdminChangeRefusal>

    /// The role that allows it; `nil` if the policy has none.
    let role: String?
    let tokenService: ServiceClient
    let attributes: AttributeRules
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - userID: the id of the user to act as.
    ///   - store: that of the one who acts.
    /// - Throws: `InvalidInput` without a reason; `ServiceUnavailable` if token-service does not respond; `StorageError`.
    func callAsFunction(_ userID: String, through store: AdministratorStore, requestID: String?) async throws -> Outcome
    {
        // A client is no person who could act.
        guard case .user(let caller) = store.caller else { return .refused(.forbidden) }
        guard let id = UserID(text: userID, prefix: userIDPrefix) else { return .refused(.noSuchUser) }
        let origin = RequestOrigin.byOperator(requestID)
        guard origin.reason != nil, let administrator = origin.method else { throw InvalidInput(member: "reason") }
        let questions = [id, caller.id].map { UserQuestion(.user($0), askedAt: now()) }
        let decision = try await store.decide(questions, now: now()) { facts in
            try decide(facts.first?.holder, facts.last?.holder, caller.sessionID, administrator, origin)
        }
        switch decision {
        case .refused(let refusal, let title): return .refused(refusal, title: title)
        case .answer(let request):
            let opened = try await tokenService.call(TokenOperations.act, request, requestID: requestID)
            guard case .answer(let token) = opened else {
                throw ServiceUnavailable(service: "token", reason: "one of the users was changed meanwhile")
            }
            return .answer(token)
        }
    }

    /// Refuses the rights of an administrator, or of another user who may act, and a user who cannot sign in.
    private func decide(
        _ user: User?, _ actor: User?, _ actorSessionID: String, _ administrator: String, _ origin: RequestOrigin
    ) throws -> Verdict<OperationOutcome<ActRequest, AdminChangeRefusal>> {
        guard let user, let actor else { return Verdict(.refused(.noSuchUser)) }
        guard ![role, CreateAdmin.role].contains(user.role), user.isActive, user.deletion == nil else {
            return Verdict(.refused(.forbidden))
        }
        let request = ActRequest(
            userID: user.id.text(prefix: userIDPrefix), epoch: user.epoch, claims: try user.claims(attributes),
            actorID: actor.id.text(prefix: userIDPrefix), actorSessionID: actorSessionID, actorVersion: actor.version,
            administrator: administrator)
        let detail = "as \(Hex.encode(user.pseudonym.bytes))"
        return Verdict(
            .answer(request),
            [.audit(AuditEntry(.actedAs, user, origin)), .audit(AuditEntry(.actsAs, actor, origin, detail: detail))])
    }
}
