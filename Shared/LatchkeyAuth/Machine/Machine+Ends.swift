/// Sign-in, sign-out, and what else begins or ends a session.
extension Machine {
    /// A user has signed in. The session counts once it is stored.
    mutating func signedIn(_ caller: Int, _ record: SessionRecord, _ isNewUser: Bool, _ moment: Moment) {
        var record = record
        record.version = StoreVersion(epoch: knownEpoch + 1, generation: 1)
        let saved = SignedIn.Saved.first(
            caller: caller, isNewUser: isNewUser, replaces: session?.record.refreshToken)
        state.phase = .signedIn(
            SignedIn(record: record, deadline: moment.now + .seconds(record.expiresIn), saved: saved))
        actions.append(.write(.record(record)))
    }

    /// The session of a sign-in is stored.
    mutating func finishSignIn(_ session: SignedIn, _ caller: Int, _ isNewUser: Bool, _ replaced: String?) {
        actions.append(.answer(caller: caller, .success(session.record.userID)))
        actions.append(.emit(.signedIn(isNewUser: isNewUser)))
        if let replaced { actions.append(.signOutOnServer(refreshToken: replaced, .thisSession, caller: nil)) }
    }

    /// The session of a sign-in cannot be stored, so it would be lost with the process. It is given back, and what was there
    /// before is read again.
    mutating func undoSignIn(_ session: SignedIn, _ caller: Int, _ trouble: StoreTrouble) {
        state.phase = .signedOut(epoch: session.record.version.epoch - 1, nil, isStored: true)
        actions.append(.answer(caller: caller, .failure(.storeUnavailable(trouble))))
        actions.append(.emit(.storeFailed(trouble)))
        actions.append(.signOutOnServer(refreshToken: session.record.refreshToken, .thisSession, caller: nil))
        actions.append(.read)
    }

    /// The user signs out: here at once, then on the server.
    mutating func signOutAsked(_ caller: Int, _ scope: SignOutScope) {
        guard let session else { return actions.append(.answer(caller: caller, .success(""))) }
        end(.asked)
        actions.append(.signOutOnServer(refreshToken: session.record.refreshToken, scope, caller: caller))
    }

    /// The session has ended. A sign-out of the next epoch is stored in its place.
    mutating func end(_ reason: SignOutReason) {
        guard let session else { return }
        let epoch = session.record.version.epoch + 1
        actions.append(.write(.signedOut(epoch: epoch, reason)))
        leave(epoch: epoch, reason, isStored: false)
    }

    /// Another process has ended the session.
    mutating func endedElsewhere(_ epoch: UInt64, _ reason: SignOutReason) {
        leave(epoch: epoch, reason == .asked ? .elsewhere : reason, isStored: true)
    }

    mutating func leave(epoch: UInt64, _ reason: SignOutReason, isStored: Bool) {
        let fault: AuthError = reason == .inactive ? .accountInactive : .signedOut(reason)
        if case .first(let caller, _, _)? = session?.saved { actions.append(.answer(caller: caller, .failure(fault))) }
        state.phase = .signedOut(epoch: epoch, reason, isStored: isStored)
        answerAll(.failure(fault))
        actions.append(.emit(.signedOut(reason)))
    }

    /// The server has returned the profile.
    mutating func userChanged(_ user: User) {
        guard var session, session.record.userID == user.id, session.record.user != user else { return }
        session.record.user = user
        state.phase = .signedIn(session)
        actions.append(.emit(.userChanged(user)))
    }

    /// The newest epoch that is known.
    private var knownEpoch: UInt64 {
        switch state.phase {
        case .starting, .unavailable: 0
        case .signedOut(let epoch, _, _): epoch
        case .signedIn(let session): session.record.version.epoch
        }
    }
}
