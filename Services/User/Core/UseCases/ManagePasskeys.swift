import CryptoPrimitives
import InternalAPI

/// Lists and removes passkeys for the operator, e.g. those that a gateway which was broken into may have added.
struct ManagePasskeys: Sendable {
    private static let pageMax = 100

    let store: any UserStore
    let queries: any UserQueries
    let courier: OutboxCourier
    let move: IdentityMove
    let notices: AccountNotices
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    typealias Outcome = OperationOutcome<PasskeyPage, UserRefusal>

    /// - Throws: `InvalidInput` for a cursor that is none, or without a user and a span of time; `StorageError`.
    func list(_ request: PasskeySelection, requestID: String?) async throws -> Outcome {
        guard let (passkeys, next) = try await page(request) else { return .refused(.notFound) }
        let detail = "passkeys" + (request.userID == nil ? " added in a span of time" : "")
        try await store.note([.audit(.lookUp(detail, .byOperator(requestID)))], now: now())
        return answer(passkeys, next)
    }

    /// Removes the passkeys of a page, each by itself.
    ///
    /// - Throws: as `list`; `Unconfirmed` if sessions may not be revoked yet.
    func remove(_ request: PasskeySelection, requestID: String?) async throws -> Outcome {
        guard let (passkeys, next) = try await page(request) else { return .refused(.notFound) }
        let removal = PasskeyRemoval(move: move, notices: notices, origin: .byOperator(requestID), endsRestored: true)
        var removed: [StoredPasskey] = []
        for passkey in passkeys {
            let id = Hex.encode(passkey.id)
            let isRemoved = try await store.decide(UserQuestion(.identities(passkey.user), askedAt: now())) {
                facts, now in
                guard let user = facts.holder, let passkey = facts.passkey(id: id) else { return Verdict(false) }
                return Verdict(true, try removal.changes(passkey, of: user, now))
            }
            guard isRemoved else { continue }
            removed.append(passkey)
            try await courier.confirmPending(about: passkey.user)
        }
        return answer(removed, next)
    }

    /// Returns the selected passkeys, and the cursor of the next page; `nil` if there is no such user.
    private func page(_ request: PasskeySelection) async throws -> (passkeys: [StoredPasskey], next: String?)? {
        let (from, until) = (request.addedFrom ?? 0, request.addedUntil ?? .max)
        if let text = request.userID {
            guard let id = UserID(text: text, prefix: move.userIDPrefix) else { return nil }
            let facts = try await store.facts(UserQuestion(.identities(id), askedAt: now()))
            guard facts.holder != nil else { return nil }
            let passkeys = facts.passkeys.filter {
                from <= $0.createdAt && $0.createdAt <= until && request.id ?? Hex.encode($0.id) == Hex.encode($0.id)
            }
            return (passkeys, nil)
        }
        guard request.addedFrom != nil, request.addedUntil != nil, request.id == nil else {
            throw InvalidInput("a user, or the span of time in which the passkeys were added, is needed")
        }
        guard let last = Hex.decode(request.cursor ?? "") else { throw InvalidInput(member: "cursor") }
        let passkeys = try await queries.passkeys(addedFrom: from, until: until, after: last, limit: Self.pageMax)
        return (passkeys, passkeys.count == Self.pageMax ? passkeys.last.map { Hex.encode($0.key) } : nil)
    }

    private func answer(_ passkeys: [StoredPasskey], _ next: String?) -> Outcome {
        .answer(
            PasskeyPage(
                passkeys: passkeys.map { passkey in
                    PasskeyPage.Entry(
                        userID: passkey.user.text(prefix: move.userIDPrefix), passkey: passkey.details(now()))
                }, next: next))
    }
}
