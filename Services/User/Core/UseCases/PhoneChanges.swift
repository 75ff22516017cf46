import CryptoPrimitives
import InternalAPI
import PhoneNumbers

/// The steps of a change by which support gives a user another phone number for a lost one.
///
/// The operator starts it, and the owner of the new number verifies it by a sign-in. Then the user is told, and may object
/// (`Objection`) until `PendingChangeJob` moves the number (`PhoneReplacement`).
struct PhoneChanges: Sendable {
    var store: any UserStore
    let seal: PendingSeal
    /// The time between the proof of the new number and the move, in seconds.
    let delaySeconds: Int64
    let userIDPrefix: String
    /// The region of phone numbers without a calling code, or `nil` if they are invalid.
    let defaultRegion: String?
    let notices: AccountNotices
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    typealias Outcome = OperationOutcome<Done, ChangeUserRefusal>

    /// The refusal to end a change if there is none.
    static let noneTitle = "No change of the user's phone number has begun"

    /// Starts a change or ends one, on request of the operator.
    ///
    /// - Throws: `InvalidInput` for an invalid number; `StorageError`.
    func callAsFunction(_ request: ReplacePhoneRequest, requestID: String?) async throws -> Outcome {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .refused(.notFound) }
        let origin = RequestOrigin.byOperator(requestID)
        guard let typed = request.phone else {
            return try await end(of: id, "cancelled", origin)
        }
        guard let number = VerifiedIdentity(typed: typed, region: defaultRegion), number.kind == .phone else {
            throw InvalidInput.phone
        }
        let questions = [.identities(id), .identity(number)].map { UserQuestion($0, askedAt: now()) }
        return try await store.decide(questions, now: now()) { facts in
            guard facts.count == 2, let user = facts[0].holder else { return Verdict(.refused(.notFound)) }
            return try start(user, number, facts[1], origin)
        }
    }

    private func start(
        _ user: User, _ number: VerifiedIdentity, _ found: UserFacts, _ origin: RequestOrigin
    ) throws -> Verdict<Outcome> {
        guard user.isActive, user.deletion == nil, !user.isForReview else {
            return Verdict(.refused(.invalidRequest, title: "The account is not active, or made by review access"))
        }
        if found.holder?.id == user.id {
            return Verdict(.refused(.invalidRequest, title: "The user has this phone number already"))
        }
        guard found.holder == nil, found.pending.allSatisfy({ $0.user == user.id }) else {
            let taken = AuditEntry.lookUp("replace phone: taken", of: user, origin)
            let title = "Another user has this phone number, or is about to get it"
            return Verdict(.refused(.taken, title: title), [.audit(taken)])
        }
        let content = PhoneReplacement.Content(replaced: user.phone, startedBy: origin.method)
        let change = PendingChange(
            id: UUIDText.random(), kind: .phone, user: user.id, number: number.value,
            sealed: try seal.seal(content, .phone, of: user.id), createdAt: now())
        return Verdict(
            .answer(Done()),
            [
                .endPending(of: user.id, .phone), .addPending(change),
                .audit(AuditEntry(.phoneChangeBegun, user, origin)),
            ])
    }

    /// Notes that the owner of the new number has signed in with it. The first such proof starts the delay.
    func verify(_ change: PendingChange, _ origin: RequestOrigin) async throws {
        guard change.movesAt == nil, let number = change.number else { return }
        let now = now()
        let questions = [.identities(change.user), .identity(.phone(number))].map { UserQuestion($0, askedAt: now) }
        try await store.decide(questions, now: now) { facts in
            guard let own = facts.first, let user = own.holder, own.pending.contains(change) else { return Verdict(()) }
            let movesAt = now + delaySeconds
            let notice = try notices.ofChange(.phoneChange, to: user, at: movesAt, now)
            return Verdict(
                (),
                [
                    .startPending(change, movesAt: movesAt),
                    .audit(AuditEntry(.phoneChangeVerified, user, origin)),
                ] + notice)
        }
    }

    private func end(of id: UserID, _ reason: String, _ origin: RequestOrigin) async throws -> Outcome {
        try await store.decide(UserQuestion(.identities(id), askedAt: now())) { facts, _ in
            guard facts.holder != nil else { return Verdict(.refused(.notFound)) }
            let changes = facts.ending(.phone, reason, origin)
            return changes.isEmpty
                ? Verdict(.refused(.notFound, title: Self.noneTitle)) : Verdict(.answer(Done()), changes)
        }
    }
}

extension PendingPhone {
    /// The change that the user may object to; `nil` while there is none.
    init?(_ facts: UserFacts) {
        let change = facts.pending.first { $0.kind == .phone && $0.user == facts.holder?.id }
        guard let change, let movesAt = change.movesAt, let number = change.number else { return nil }
        self.init(movesAt: movesAt, lastDigits: String(number.suffix(2)))
    }
}
