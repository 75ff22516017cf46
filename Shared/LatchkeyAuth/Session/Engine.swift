import Dispatch
import Foundation

/// The shell around the machine: feeds it with events, and performs its actions in their order.
///
/// The lock is held for microseconds and never while anything of the app runs. The store is used on a queue of its own, since
/// reading it may block.
final class Engine: Sendable {
    let api: API
    private let store: any SessionStore
    private let clock: any DeviceClock
    private let early: Duration
    private let log: (@Sendable (LogLine) -> Void)?
    private let queue = DispatchQueue(label: "latchkey.store")
    private let core = Locked(Core())

    private struct Core {
        var state = MachineState()
        var shown = State.starting
        var shownUser: User?
        var callers: [Int: CheckedContinuation<Result<String, AuthError>, Never>] = [:]
        var states: [Int: AsyncStream<State>.Continuation] = [:]
        var events: [Int: AsyncStream<Event>.Continuation] = [:]
        var news: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastID = 0

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }

    init(_ configuration: LatchkeyAuth.Configuration) {
        clock = configuration.clock
        early = configuration.early
        store = configuration.store ?? PlatformStore.make(profile: configuration.profile)
        let (queue, log) = (queue, configuration.log)
        self.log = log
        api = API(
            baseURL: BaseURL(configuration.baseURL), transport: configuration.transport, clock: configuration.clock,
            log: { line in if let log { queue.async { log(line) } } })
    }

    // MARK: - What is known

    var state: State { core.withLock { $0.shown } }

    var user: User? {
        core.withLock { Self.user($0) }
    }

    private static func user(_ core: Core) -> User? {
        guard case .signedIn(let session) = core.state.phase else { return nil }
        return session.record.user
    }

    /// The access token if it is fresh, without any waiting.
    func freshToken(validFor minimum: Duration) -> String? {
        let (now, early) = (clock.now, early)
        return core.withLock { Machine.freshToken($0.state, validFor: minimum, at: now, early: early) }
    }

    // MARK: - Events

    /// Reads the store at once, so that the state is known before the first screen.
    func start() { feed(loaded()) }

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
        let (state, user) = (State(core.state.phase), Self.user(core))
        if state != core.shown { for stream in core.states.values { stream.yield(state) } }
        if state != core.shown || user != core.shownUser { for stream in core.news.values { stream.yield() } }
        (core.shown, core.shownUser) = (state, user)
    }

    // MARK: - Actions

    /// Begins an action. What it leads to comes back as another event; nothing here waits.
    private func perform(_ action: MachineAction, _ core: inout Core) {
        switch action {
        case .read: queue.async { self.feed(self.loaded()) }
        case .write(let item): queue.async { self.feed(self.kept(item)) }
        case .renew(let record): Task { await self.renew(record) }
        case .answer(let caller, let result): core.callers.removeValue(forKey: caller)?.resume(returning: result)
        case .emit(let event): emit(event, core)
        case .signOutOnServer(let token, let scope, let caller):
            Task { await self.signOutOnServer(token, scope, caller) }
        case .wake(let delay): Task { await self.wake(after: delay) }
        }
    }

    private func emit(_ event: Event, _ core: Core) {
        if case .storeFailed(let trouble) = event { api.log(.storeFailed(trouble)) }
        for stream in core.events.values { stream.yield(event) }
    }

    private func loaded() -> (Moment) -> MachineEvent {
        do throws(StoreFailure) {
            let item = StoredItem(try store.load(), origin: api.baseURL.text)
            return { .read(item, $0) }
        } catch {
            return { .unreadable(error.trouble, $0) }
        }
    }

    private func kept(_ item: StoredItem) -> (Moment) -> MachineEvent {
        do throws(StoreFailure) {
            guard let stored = try store.keepNewer(item.encoded(), version: item.version) else {
                return { .written(item.version, $0) }
            }
            let found = StoredItem(stored, origin: api.baseURL.text)
            return { .found(found, insteadOf: item.version, $0) }
        } catch {
            return { .unwritten(item.version, error.trouble, $0) }
        }
    }

    /// Stores a session that an earlier release of the app has begun, and reads it. A failure leaves everything as it was.
    func adopt(_ record: SessionRecord) async throws(AuthError) {
        let trouble: StoreTrouble? = await withCheckedContinuation { continuation in
            queue.async { [self] in
                do throws(StoreFailure) {
                    _ = try store.keepNewer(StoredItem.record(record).encoded(), version: record.version)
                    feed(loaded())
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error.trouble)
                }
            }
        }
        if let trouble { throw .storeUnavailable(trouble) }
    }

    private func renew(_ record: SessionRecord) async {
        let outcome = await api.renew(record)
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

    private func signOutOnServer(_ refreshToken: String, _ scope: SignOutScope, _ caller: Int?) async {
        let isConfirmed = await api.signOut(refreshToken, scope)
        guard let caller else { return }
        core.withLock { core in
            perform(.emit(.signedOutOnServer(confirmed: isConfirmed)), &core)
            perform(.answer(caller: caller, .success("")), &core)
        }
    }

    private func wake(after delay: Duration) async {
        do { try await clock.sleep(until: clock.now + delay) } catch { return }
        feed { .woke($0) }
    }

    // MARK: - Streams

    /// The present state and those that follow. A slow reader sees the newest.
    var states: AsyncStream<State> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
            let id = core.withLock { core in
                let id = core.nextID()
                core.states[id] = stream
                stream.yield(core.shown)
                return id
            }
            stream.onTermination = { [weak self] _ in self?.core.withLock { _ = $0.states.removeValue(forKey: id) } }
        }
    }

    var events: AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { stream in
            let id = core.withLock { core in
                let id = core.nextID()
                core.events[id] = stream
                return id
            }
            stream.onTermination = { [weak self] _ in self?.core.withLock { _ = $0.events.removeValue(forKey: id) } }
        }
    }

    /// An element each time that the state or the profile has changed. A slow reader gets one for several changes.
    var news: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
            let id = core.withLock { core in
                let id = core.nextID()
                core.news[id] = stream
                return id
            }
            stream.onTermination = { [weak self] _ in self?.core.withLock { _ = $0.news.removeValue(forKey: id) } }
        }
    }

    /// Ends all streams.
    func finish() {
        let (states, events, news) = core.withLock { ($0.states, $0.events, $0.news) }
        for stream in states.values { stream.finish() }
        for stream in news.values { stream.finish() }
        for stream in events.values { stream.finish() }
    }
}

extension Date {
    /// The date in whole Unix seconds. A date out of all bounds is 0.
    var unixSeconds: Int64 { Int64(exactly: timeIntervalSince1970.rounded(.down)) ?? 0 }
}
