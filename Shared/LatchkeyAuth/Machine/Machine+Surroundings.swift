/// Changes of the device and the app. No timer runs: a renewal begins when a token is wanted, or when the app comes back.
extension Machine {
    mutating func changed(_ change: Change, _ jitter: Double, _ moment: Moment) {
        switch change {
        case .background:
            state.isInBackground = true
            return restInBackground()
        case .foreground:
            state.isInBackground = false
            catchUp()
        case .protectedDataThere: catchUp()
        case .networkBack: break
        }
        makeGood(moment)
        if change != .protectedDataThere { wakeIfDue(jitter, moment) }
    }

    /// Does what was not possible before, or not needed.
    private mutating func catchUp() {
        switch state.phase {
        case .starting: break
        case .unavailable: actions.append(.read)
        case .signedOut:
            saveSignOut()
            actions.append(.read)
        case .signedIn(let session):
            if session.saved == .no { save(session) }
            if session.isResting { actions.append(.read) }
        }
    }

    /// Lets access token and profile leave the memory (they are in the store).
    mutating func restInBackground() {
        guard state.isInBackground, state.waiters.isEmpty, var session, session.saved == .yes, !session.isRenewing
        else { return }
        session.record.accessToken = nil
        session.record.user = nil
        session.isResting = true
        state.phase = .signedIn(session)
    }

    private mutating func wakeIfDue(_ jitter: Double, _ moment: Moment) {
        guard let session, isDue(session, moment) else { return }
        actions.append(.wake(after: .seconds(MachineRules.wakeMax * jitter)))
    }

    /// A short while after the app or the network came back.
    mutating func woke(_ moment: Moment) {
        guard var session, !state.isInBackground, !session.isResting, isDue(session, moment) else { return }
        if case .waiting(_, let fault, let tries) = session.mode, Self.isOfTheNetwork(fault) {
            session.mode = .waiting(until: moment.now, fault: fault, tries: tries)
            state.phase = .signedIn(session)
        }
        renew(moment)
    }

    private func isDue(_ session: SignedIn, _ moment: Moment) -> Bool {
        if case .waiting = session.mode { return true }
        return moment.now + session.record.early(atMost: early) >= session.deadline
    }

    /// Whether a fault may be gone with another network. Where the server has asked to wait, it is not.
    private static func isOfTheNetwork(_ fault: AuthError) -> Bool {
        switch fault {
        case .offline, .timedOut, .untrustedServer, .notLatchkey: true
        default: false
        }
    }
}
