/// Callers that want an access token.
extension Machine {
    /// Gives a caller the access token, at once or as soon as it is renewed.
    mutating func serve(_ waiter: Waiter, _ moment: Moment) {
        switch state.phase {
        case .starting: state.waiters.append(waiter)
        case .unavailable, .signedOut:
            // Another process may have signed in meanwhile.
            saveSignOut()
            readFor(waiter)
        case .signedIn(let session) where session.isResting: readFor(waiter)
        case .signedIn(let session):
            let early = max(session.record.early(atMost: early), waiter.minimum)
            let usable = max(MachineRules.usable, waiter.minimum)
            if give(session.freshToken(longerThan: early, at: moment.now), to: waiter) { return }
            // No renewal begins during a save. A caller that waits for its end has the token renewed then.
            let isGiven = !session.isSaving && give(session.freshToken(longerThan: usable, at: moment.now), to: waiter)
            if !isGiven { state.waiters.append(waiter) }
            renew(moment)
        }
    }

    /// Serves all callers that wait, after something has changed.
    mutating func serveAll(_ moment: Moment) {
        let waiters = state.waiters
        state.waiters = []
        for waiter in waiters { serve(waiter, moment) }
    }

    /// An API has answered 401 to this access token.
    mutating func refusedByAPI(_ caller: Int, _ token: String, _ moment: Moment) {
        let isPresent = session?.record.accessToken == token
        if isPresent, let session, !session.isRenewing, isWithinSpacing(session, moment) {
            // A token this new is not at fault, and renewing it would go on for ever. Another process may have signed out.
            actions.append(.read)
            actions.append(.answer(caller: caller, .failure(.refusedAgain)))
        } else {
            serve(Waiter(caller: caller, refused: token), moment)
        }
    }

    /// The caller's task was cancelled. A renewal belongs to no caller, so it goes on.
    mutating func cancelled(_ caller: Int) {
        guard state.waiters.contains(where: { $0.caller == caller }) else { return }
        state.waiters.removeAll { $0.caller == caller }
        actions.append(.answer(caller: caller, .failure(.cancelled)))
    }

    /// Begins a renewal, unless one is in progress or has to wait.
    mutating func renew(_ moment: Moment) {
        guard let session else { return }
        switch session.saved {
        case .no: save(session)
        case .saving, .first: break
        case .yes where session.isRenewing: break
        case .yes:
            if case .waiting(let until, let fault, _) = session.mode, moment.now < until {
                settle(fault, moment)
            } else if isWithinSpacing(session, moment) {
                let rest = (session.lastRotation ?? moment.now) + MachineRules.spacing - moment.now
                settle(.unavailable(retryAfter: rest), moment)
            } else {
                look(session)
            }
        }
    }

    /// Gives all waiting callers the access token if it still lives, else the fault.
    mutating func settle(_ fault: AuthError, _ moment: Moment) {
        let token = session?.token(longerThan: .zero, at: moment.now)
        for waiter in state.waiters where !give(token, to: waiter) {
            actions.append(.answer(caller: waiter.caller, .failure(fault)))
        }
        state.waiters = []
    }

    /// Gives a token to a caller, unless it is the one that an API has refused.
    /// - Returns: whether the caller was answered.
    private mutating func give(_ token: String?, to waiter: Waiter) -> Bool {
        guard let token, token != waiter.refused else { return false }
        actions.append(.answer(caller: waiter.caller, .success(token)))
        return true
    }

    /// Reads the store for a caller. Those that come meanwhile wait for the same result.
    private mutating func readFor(_ waiter: Waiter) {
        if state.waiters.isEmpty { actions.append(.read) }
        state.waiters.append(waiter)
    }

    /// Whether a renewal has to wait. That of an outdated token need not, but no two in a row are hurried so.
    private func isWithinSpacing(_ session: SignedIn, _ moment: Moment) -> Bool {
        session.isSoon(moment.now) && (!session.isOutdated || session.isHurried)
    }
}
