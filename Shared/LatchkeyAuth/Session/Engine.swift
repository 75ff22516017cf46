import Dispatch
import Foundation

/// The shell around the machine: feeds it with events, and performs its actions in their order.
///
/// The lock is held for microseconds and never while anything of the app runs.
final class Engine: Sendable {
    let api: API
    let store: any SessionStore
    let clock: any DeviceClock
    let queue: StoreQueue
    let core = Locked(Core())
    private let early: Duration

    struct Core {
        var state = MachineState()
        var shown = State.starting
        var shownUser: User?
        var callers: [Int: CheckedContinuation<Result<String, AuthError>, Never>] = [:]
        /// Sign-outs that are on their way, by their dates.
        var sending: [Int64: Task<Bool, Never>] = [:]
        /// Sign-outs that are sent again if they fail, since the network has come back meanwhile.
        var again: Set<Int64> = []
        var states: [Int: AsyncStream<State>.Continuation] = [:]
        var events: [Int: AsyncStream<Event>.Continuation] = [:]
        var news: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastID = 0

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }

        var record: SessionRecord? { state.session?.record }
    }

    init(_ configuration: LatchkeyAuth.Configuration) {
        clock = configuration.clock
        early = configuration.early
        store = configuration.store ?? PlatformStore.make(profile: configuration.profile)
        queue = StoreQueue(configuration.clock)
        let (lines, log) = (DispatchQueue(label: "latchkey.log"), configuration.log)
        api = API(
            baseURL: BaseURL(configuration.baseURL), transport: configuration.transport, clock: configuration.clock,
            log: { line in if let log { lines.async { log(line) } } })
    }

    // MARK: - What is known

    var state: State { core.withLock { $0.shown } }

    var user: User? { core.withLock { $0.record?.user } }

    /// The session's record, if there is one.
    var record: SessionRecord? { core.withLock { $0.record } }

    /// The access token if it is usable, also if a newer one is wanted.
    var usableToken: String? {
        let now = clock.now
        return core.withLock { $0.state.session?.token(longerThan: MachineRules.usable, at: now) }
    }

    /// Whether the access token is older than what the server knows of the user.
    var isOutdated: Bool { core.withLock { $0.state.session?.isOutdated ?? false } }

    /// The access token if it is fresh, without any waiting.
    func freshToken(validFor minimum: Duration) -> String? {
        let (now, early) = (clock.now, early)
        return core.withLock { Machine.freshToken($0.state, validFor: minimum, at: now, early: early) }
    }

    // MARK: - Events

    /// Feeds an event, and returns the answer that the machine gives to it, now or later.
    func ask(_ event: (_ caller: Int, Moment) -> MachineEvent) async throws(AuthError) -> String {
        let caller = core.withLock { $0.nextID() }
        let result: Result<String, AuthError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                core.withLock { $0.callers[caller] = continuation }
                feed { event(caller, $0) }
                if Task.isCancelled { feed { _ in .cancelled(caller: caller) } }
            }
        } onCancel: {
            feed { _ in .cancelled(caller: caller) }
        }
        return try result.get()
    }

    func feed(_ event: (Moment) -> MachineEvent) {
        let moment = Moment(now: clock.now, wall: clock.wall.unixSeconds)
        let event = event(moment)
        core.withLock { core in
            let (state, actions) = Machine.step(core.state, event, early: early)
            core.state = state
            for action in actions { perform(action, &core) }
            show(&core)
        }
    }

    private func show(_ core: inout Core) {
        let (state, user) = (State(core.state.phase), core.record?.user)
        if state != core.shown { for stream in core.states.values { stream.yield(state) } }
        if state != core.shown || user != core.shownUser { for stream in core.news.values { stream.yield() } }
        (core.shown, core.shownUser) = (state, user)
    }

    // MARK: - Actions

    /// Begins an action. What it leads to comes back as another event; nothing here waits.
    func perform(_ action: MachineAction, _ core: inout Core) {
        switch action {
        case .read: read()
        case .write(let item): write(item)
        case .renew(let record): Task { await self.renew(record) }
        case .answer(let caller, let result): core.callers.removeValue(forKey: caller)?.resume(returning: result)
        case .emit(let event): emit(event, core)
        case .signOutOnServer(let refreshToken, let kept, let caller):
            send(kept, as: .refresh(refreshToken), for: caller, &core)
        case .makeGood(let kept): makeGood(kept, &core)
        case .giveBack(let refreshToken): Task { await self.api.signOut(.refresh(refreshToken)) }
        case .wake(let delay): Task { await self.wake(after: delay) }
        }
    }

    /// Tells the readers of events about one that the machine does not know.
    func report(_ event: Event) { core.withLock { emit(event, $0) } }

    private func emit(_ event: Event, _ core: Core) {
        if case .storeFailed(let trouble) = event { api.log(.storeFailed(trouble)) }
        for stream in core.events.values { stream.yield(event) }
    }

    private func renew(_ record: SessionRecord) async {
        let outcome = await api.renew(record.refreshToken, key: record.renewalKey)
        let (version, jitter) = (record.version, Double.random(in: 0...1))
        feed { moment in
            switch outcome {
            case .rotated(let tokens): .rotated(version, tokens, moment)
            case .ended(let reason): .refused(version, .ended(reason), jitter: jitter, moment)
            case .superseded: .refused(version, .superseded, jitter: jitter, moment)
            case .failed(let error): .failed(version, error, jitter: jitter, moment)
            }
        }
    }

    private func wake(after delay: Duration) async {
        do { try await clock.sleep(until: clock.now + delay) } catch { return }
        feed { .woke($0) }
    }
}

extension Date {
    /// The date in whole Unix seconds. A date out of all bounds is 0.
    init(unixSeconds: Int64) { self.init(timeIntervalSince1970: Double(unixSeconds)) }

    var unixSeconds: Int64 { Int64(exactly: timeIntervalSince1970.rounded(.down)) ?? 0 }
}
