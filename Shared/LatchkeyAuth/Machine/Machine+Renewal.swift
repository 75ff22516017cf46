import Foundation

/// The steps of a renewal: read the store, send the request, believe the response.
extension Machine {
    /// Reads the store first: another process may have renewed the session, or ended it.
    mutating func look(_ session: SignedIn) {
        var session = session
        session.mode = .looking(tries: session.tries)
        state.phase = .signedIn(session)
        actions.append(.read)
    }

    /// The store holds what the machine knows: goes on with what the reading was for.
    mutating func confirmed(_ session: SignedIn, _ moment: Moment) {
        switch session.mode {
        case .idle, .flying, .waiting: break
        case .looking(let tries):
            var session = session
            session.mode = .flying(tries: tries)
            state.phase = .signedIn(session)
            actions.append(.renew(session.record))
        case .doubting(.ended(let reason), _, _): end(reason)
        case .doubting(.superseded, _, let jitter): postpone(.unavailable(retryAfter: nil), jitter, moment)
        }
    }

    /// New tokens arrived.
    mutating func rotated(_ version: StoreVersion, _ tokens: Tokens, _ moment: Moment) {
        // After a sign-out, or if another process was faster, the response is of no use any more.
        guard let session = flying(version) else { return }
        var next = session
        next.record = session.record.renewed(by: tokens, at: moment.wall)
        next.deadline = moment.now + .seconds(tokens.expiresIn)
        next.isHurried = session.isSoon(moment.now)
        next.lastRotation = moment.now
        next.mode = .idle
        save(next)
        // Callers that wait for a token from after that are served once this one is saved.
        if !next.isOutdated { answerAll(.success(tokens.accessToken)) }
        actions.append(.emit(.renewed))
    }

    /// No response came that says anything about the session.
    mutating func failed(_ version: StoreVersion, _ error: AuthError, _ jitter: Double, _ moment: Moment) {
        guard flying(version) != nil else { return }
        postpone(error, jitter, moment)
    }

    /// The server has refused the refresh token. The store is read before that is believed.
    mutating func refused(_ version: StoreVersion, _ verdict: SignedIn.Verdict, _ jitter: Double) {
        guard var session = flying(version) else { return }
        session.mode = .doubting(verdict, tries: session.tries, jitter: jitter)
        state.phase = .signedIn(session)
        actions.append(.read)
    }

    /// Waits before the next attempt, longer each time.
    mutating func postpone(_ error: AuthError, _ jitter: Double, _ moment: Moment) {
        guard var session else { return }
        let tries = session.tries + 1
        let wait = MachineRules.wait(tries: tries, retryAfter: error.retryAfter, jitter: jitter)
        session.mode = .waiting(until: moment.now + .seconds(wait), fault: error, tries: tries)
        state.phase = .signedIn(session)
        let retryAt = Date(timeIntervalSince1970: Double(moment.wall) + wait)
        settle(error, moment)
        actions.append(.emit(.renewalDeferred(error, retryAt: retryAt)))
    }

    /// The session, if a renewal of the record with this version is on its way.
    private func flying(_ version: StoreVersion) -> SignedIn? {
        guard let session, session.record.version == version, case .flying = session.mode else { return nil }
        return session
    }
}
