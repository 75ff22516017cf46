/// Sign-in, sign-out, and what else begins or ends a session.
extension Machine {
    /// A user has signed in. The session counts once it is stored.
    mutating func signedIn(_ caller: Int, _ unversioned: SessionRecord, _ moment: Moment) {
        if let session, session.record.refreshToken == unversioned.refreshToken {
            return signedInAgain(caller, session)
        }
        let first = session?.first
        answer(first?.callers ?? [], .failure(.cancelled))
        let replaces = (first?.replaces ?? []) + [session?.record.refreshToken].compactMap(\.self)
        var record = unversioned
        record.version = StoreVersion(epoch: known.epoch + 1, generation: 1)
        state.phase = .signedIn(
            SignedIn(
                record: record, deadline: moment.now + .seconds(record.expiresIn),
                saved: .first(FirstSave(callers: [caller], replaces: replaces))))
        write(.record(record))
    }

    /// The response to the same proof comes once more: this session stays.
    private mutating func signedInAgain(_ caller: Int, _ session: SignedIn) {
        guard var first = session.first else {
            return actions.append(.answer(caller: caller, .success(session.record.userID)))
        }
        var session = session
        first.callers.append(caller)
        session.saved = .first(first)
        state.phase = .signedIn(session)
    }

    /// The session of a sign-in is stored.
    mutating func finishSignIn(_ session: SignedIn, _ first: FirstSave, _ moment: Moment) {
        answer(first.callers, .success(session.record.userID))
        actions.append(.emit(.signedIn(isNewUser: session.record.isNewUser)))
        actions += first.replaces.map(MachineAction.giveBack)
        makeGood(moment)
    }

    /// The session of a sign-in cannot be stored, so it would be lost with the process. It is given back, and what was there
    /// before is read again.
    mutating func undoSignIn(_ session: SignedIn, _ first: FirstSave, _ trouble: StoreTrouble) {
        let version = StoreVersion(epoch: session.record.version.epoch - 1, generation: 0)
        state.phase = .signedOut(version, nil, isStored: true)
        answer(first.callers, .failure(.storeUnavailable(trouble)))
        actions.append(.emit(.storeFailed(trouble)))
        actions.append(.giveBack(refreshToken: session.record.refreshToken))
        actions.append(.read)
    }

    /// The user signs out: here at once, then on the server.
    mutating func signOutAsked(_ caller: Int, _ everywhere: Bool, _ moment: Moment) {
        guard let session else {
            saveSignOut()
            makeGood(moment)
            return actions.append(.answer(caller: caller, .success(state.kept.isEmpty ? Self.confirmed : "")))
        }
        let record = session.record
        let token = record.accessToken.map(KeptSignOut.Token.access) ?? .refresh(record.refreshToken)
        let since = max(moment.wall, state.kept.map { $0.since + 1 }.max() ?? moment.wall)
        let kept = KeptSignOut(token: token, isEverywhere: everywhere, since: since)
        keep([kept])
        end(.asked)
        actions.append(.signOutOnServer(refreshToken: record.refreshToken, kept, caller: caller))
        actions += (session.first?.replaces ?? []).map(MachineAction.giveBack)
    }

    /// The answer to a sign-out that the server has confirmed. Any other is empty.
    static let confirmed = "confirmed"

    /// The session has ended. A sign-out of the next epoch is stored in its place.
    mutating func end(_ reason: SignOutReason) {
        guard let session else { return }
        let version = StoreVersion(epoch: session.record.version.epoch + 1, generation: 0)
        write(.signedOut(version, reason))
        leave(version, reason, isStored: false)
    }

    /// The server knows more than the access token says. A renewal that is on its way may have come before that.
    mutating func outdated() {
        guard var session else { return }
        session.outdated = session.record.version.generation
        if case .flying = session.mode { session.outdated += 1 }
        state.phase = .signedIn(session)
    }

    /// Leaves the session without writing anything.
    mutating func leave(_ version: StoreVersion, _ reason: SignOutReason, isStored: Bool) {
        let fault: AuthError = reason == .inactive ? .accountInactive : .signedOut(reason)
        answer(session?.first?.callers ?? [], .failure(fault))
        state.phase = .signedOut(version, reason, isStored: isStored)
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
}
