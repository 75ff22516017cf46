/// The machine that keeps a session: what it knows, and what follows from an event.
///
/// It is pure: no input or output, no clock, no randomness. The same events always lead to the same actions, so the rows in
/// `Tests/Clients/machine` bind this machine and those of the other languages. ``Engine`` performs the actions.
struct Machine {
    var state: MachineState
    var actions: [MachineAction] = []
    let early: Duration

    /// Returns the state after an event, and what to do.
    static func step(
        _ state: MachineState, _ event: MachineEvent, early: Duration = MachineRules.early
    ) -> (MachineState, [MachineAction]) {
        var machine = Machine(state: state, early: early)
        machine.handle(event)
        return (machine.state, machine.actions)
    }

    /// Returns the access token if it is fresh, which is all that nearly every call needs.
    static func freshToken(
        _ state: MachineState, validFor minimum: Duration, at now: Duration, early: Duration
    ) -> String? {
        state.session?.freshToken(
            longerThan: max(state.session?.record.early(atMost: early) ?? early, minimum), at: now)
    }

    private mutating func handle(_ event: MachineEvent) {
        switch event {
        case .read(let item, let moment): read(item, moment)
        case .unreadable(let trouble, let moment): unreadable(trouble, moment)
        case .written(let version, let moment): written(version, moment)
        case .found(let item, let version, let moment): found(item, insteadOf: version, moment)
        case .unwritten(let version, let trouble, let moment): unwritten(version, trouble, moment)

        case .wanted(let caller, let minimum, let moment):
            serve(Waiter(caller: caller, minimum: minimum), moment)
        case .refusedByAPI(let caller, let token, let moment): refusedByAPI(caller, token, moment)
        case .cancelled(let caller): cancelled(caller)
        case .signedIn(let caller, let record, let moment): signedIn(caller, record, moment)
        case .signOutAsked(let caller, let everywhere, let moment): signOutAsked(caller, everywhere, moment)
        case .signOutConfirmed(let since): letGo { $0.since != since }
        case .over(let reason): end(reason)
        case .outdated: outdated()
        case .userChanged(let user): userChanged(user)

        case .rotated(let version, let tokens, let moment): rotated(version, tokens, moment)
        case .failed(let version, let error, let jitter, let moment): failed(version, error, jitter, moment)
        case .refused(let version, let verdict, let jitter, _): refused(version, verdict, jitter)

        case .changed(let change, let jitter, let moment): changed(change, jitter, moment)
        case .woke(let moment): woke(moment)
        }
    }

    // MARK: - What several parts use

    /// The session, if there is one.
    var session: SignedIn? { state.session }

    /// The version of what is known: of the session, or of the sign-out.
    var known: StoreVersion {
        switch state.phase {
        case .starting, .unavailable: .none
        case .signedOut(let version, _, _): version
        case .signedIn(let session): session.record.version
        }
    }

    /// Answers several callers.
    mutating func answer(_ callers: [Int], _ result: Result<String, AuthError>) {
        for caller in callers { actions.append(.answer(caller: caller, result)) }
    }

    /// Answers all callers that wait.
    mutating func answerAll(_ result: Result<String, AuthError>) {
        answer(state.waiters.map(\.caller), result)
        state.waiters = []
    }

    /// Writes an item, with the sign-outs that the server has not confirmed.
    mutating func write(_ content: StoredItem.Content) {
        actions.append(.write(StoredItem(content, kept: state.kept)))
    }

    /// Writes the session's record again.
    mutating func save(_ session: SignedIn) {
        var session = session
        session.saved = .saving
        state.phase = .signedIn(session)
        write(.record(session.record))
    }

    /// Writes the sign-out again if that has failed before.
    mutating func saveSignOut() {
        guard case .signedOut(let version, let reason, isStored: false) = state.phase else { return }
        write(.signedOut(version, reason ?? .ended))
    }
}
