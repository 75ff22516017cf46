import CryptoPrimitives
import InternalAPI

/// Lists, renames and removes the passkeys of signed-in users.
struct OwnPasskeyList: Sendable {
    let own: ChangeOwnIdentities

    func list(_ caller: SignedInUser) async throws -> OperationOutcome<OwnPasskeys, BearerRefusal> {
        let read = try await own.act.facts(.identities(caller.id), nil)
        guard let user = read.holder, user.deletion == nil else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        return .answer(OwnPasskeys(passkeys: read.passkeys.map { $0.details(own.act.now()) }))
    }

    /// - Throws: `InvalidInput` for an invalid name.
    func rename(
        _ request: RenamePasskeyRequest, _ caller: SignedInUser
    ) async throws -> OperationOutcome<AccountAnswer, BearerBodyRefusal> {
        guard let name = try AddPasskey.name(request.name) else { throw InvalidInput.name }
        let answer = try await own.act(.identities(caller.id), nil) { facts, now in
            guard facts.usableHolder != nil, var passkey = facts.passkey(id: request.id) else {
                return .refused(.noPasskey)
            }
            passkey.name = name
            let answer = AccountAnswer(.done, passkey: passkey.details(now))
            return Verdict(AccountReply(answer: answer), [.renamePasskey(passkey)])
        }
        return .answer(answer)
    }

    /// Removes a passkey. One that cannot be used yet, and a restore key at a sign-out, needs no recent proof.
    func remove(
        _ request: RemovePasskeyRequest, _ caller: ChangeOwnIdentities.Caller
    ) async throws -> ChangeOwnIdentities.Outcome {
        let call = own.tag(PasskeyOperations.removeOwn.path, request.callID, caller, [request.id])
        let read = try await own.act.facts(.identities(caller.user.id), call)
        let removal = PasskeyRemoval(move: own.move, notices: own.notices, origin: caller.origin)
        let decide = {
            try await own.act(.identities(caller.user.id), call) { facts, now in
                guard let user = facts.usableHolder, let passkey = facts.passkey(id: request.id) else {
                    return .refused(.noPasskey)
                }
                return .done(
                    try removal.changes(passkey, of: user, now),
                    endingSessionsOf: passkey.opensSessions(now) ? user.id : nil)
            }
        }
        if let passkey = read.passkey(id: request.id), !passkey.opensSessions(own.act.now()) {
            return .answer(try await decide())
        }
        return try await own.change(caller, call) { _ in try await decide() }
    }
}

/// The changes by which a user loses a passkey, on their own request or the operator's.
struct PasskeyRemoval: Sendable {
    let move: IdentityMove
    let notices: AccountNotices
    let origin: RequestOrigin
    /// Whether the sessions that restore keys opened end too.
    var endsRestored = false

    /// Revokes the sessions that the passkey opened. The user's others fall to the factors with which they began.
    func changes(_ passkey: StoredPasskey, of user: User, _ now: Int64) throws -> [UserChange] {
        let removed: [UserChange] = [
            .endPasskey(passkey),
            .audit(AuditEntry(.passkeyRemoved, user, origin, detail: Hex.encode(passkey.id))),
        ]
        // The phone to which a restore key has moved stays signed in when the old one signs out.
        guard passkey.opensSessions(now) || endsRestored && passkey.activeFrom <= now else { return removed }
        var after = user.endingSessions(at: now)
        var before = user
        before.epoch = after.epoch
        after.version += 1
        // token-service spares the other sessions, since the epoch rises by one for each removal.
        let revocation = RevokeUserRequest(
            userID: user.id.text(prefix: move.userIDPrefix), epoch: after.epoch, reason: .identityChange,
            method: passkey.method)
        let messages =
            try move.messages(from: before, to: after, .identityChange, lowersFactors: true)
            + [OutboxMessage(.revokeUser, encoding: revocation)]
        return removed + [.update(after)] + (try notices.ofChange(.passkeyRemoved, to: user, now))
            + messages.map { .tell($0, about: user.id, dueAt: now + OutboxLimits.ownAttemptSeconds) }
    }
}

extension StoredPasskey {
    /// Whether the removal of the key revokes the sessions that it has opened, which one that waits has none of.
    fileprivate func opensSessions(_ now: Int64) -> Bool { kind == .passkey && activeFrom <= now }
}

extension UserFacts {
    /// The user, if the account may be used.
    fileprivate var usableHolder: User? { holder.flatMap { $0.isActive && $0.deletion == nil ? $0 : nil } }

    /// The user's passkey with an id in hexadecimal.
    func passkey(id: String) -> StoredPasskey? { passkeys.first { Hex.encode($0.id) == id } }
}
