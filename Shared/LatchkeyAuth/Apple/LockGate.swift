/// A lock in front of the app's screens.
///
/// It stands beside the session: while it is locked the user is still signed in, tokens are renewed, and a cancelled prompt
/// changes nothing. Nothing is bound to the fingerprints or the face that the device knows. Show a lock screen while
/// ``isLocked``, with a button that calls ``unlock(_:)``.
public final class LockGate: Sendable {
    private let clock: any DeviceClock
    private let confirm: @Sendable (String) async -> Confirmation
    private let content: Locked<Content>
    private let following: Task<Void, Never>

    private struct Content: Sendable {
        var state: LockState
        var shown: Bool
        var streams: [Int: AsyncStream<Bool>.Continuation] = [:]
        var lastID = 0
        var prompt: Task<Bool, Never>?
        var isWatched = false
    }

    /// Creates a lock. It is closed at first, unless the rule is `never`.
    ///
    /// - Parameters:
    ///   - rule: the time at which the screens are locked.
    ///   - surroundings: the app's changes between foreground and background.
    ///   - confirm: asks the user, and shows the reason; ``confirmByDeviceOwner(_:)`` on Apple's systems.
    public init(
        _ rule: LockRule, surroundings: any Surroundings = SystemSurroundings(), clock: any DeviceClock = SystemClock(),
        confirm: @escaping @Sendable (_ reason: String) async -> Confirmation
    ) {
        let state = LockState(rule, at: clock.now)
        let content = Locked(Content(state: state, shown: state.isLocked(at: clock.now)))
        let changes = surroundings.changes
        self.clock = clock
        self.confirm = confirm
        self.content = content
        following = Task {
            for await change in changes { Self.change(content, clock) { $0.changed(change, at: clock.now) } }
        }
    }

    deinit {
        following.cancel()
        for stream in content.withLock({ $0.streams.values }) { stream.finish() }
    }

    /// Whether the screens are locked now.
    public var isLocked: Bool {
        let now = clock.now
        return content.withLock { $0.state.isLocked(at: now) }
    }

    /// Whether the screens are locked: now, and each time that it changes.
    public var states: AsyncStream<Bool> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
            let id = content.withLock { content in
                content.lastID += 1
                content.streams[content.lastID] = stream
                stream.yield(content.shown)
                return content.lastID
            }
            stream.onTermination = { [content] _ in content.withLock { _ = $0.streams.removeValue(forKey: id) } }
        }
    }

    /// Tells that the user has done something. Call it at taps and scrolls if the rule is `afterIdle`.
    public func used() {
        Self.change(content, clock) { [clock] in $0.used(at: clock.now) }
        lockLater()
    }

    /// Asks the user to confirm that it is them. Callers that come meanwhile wait for the same prompt.
    /// - Returns: whether the screens are unlocked.
    @discardableResult
    public func unlock(_ reason: String) async -> Bool {
        guard isLocked else { return true }
        let prompt = content.withLock { content in
            if let prompt = content.prompt { return prompt }
            let prompt = Task { [self] in await ask(reason) }
            content.prompt = prompt
            return prompt
        }
        return await prompt.value
    }

    /// Asks the user again, locked or not, before something that needs more care, such as a payment.
    public func confirmAgain(_ reason: String) async -> Bool { await confirm(reason) != .declined }

    private func ask(_ reason: String) async -> Bool {
        let isConfirmed = await confirm(reason) != .declined
        content.withLock { $0.prompt = nil }
        if isConfirmed {
            Self.change(content, clock) { [clock] in $0.unlocked(at: clock.now) }
            lockLater()
        }
        return isConfirmed
    }

    /// Locks the screens when the app has not been used for long enough. One task waits, however often the app is used.
    private func lockLater() {
        let isFirst = content.withLock { content in
            guard !content.isWatched, content.state.deadline != nil else { return false }
            content.isWatched = true
            return true
        }
        guard isFirst else { return }
        Task { [content, clock] in
            while let deadline = content.withLock({ $0.state.deadline }), deadline > clock.now {
                // It only throws if the task is cancelled, which no code does.
                do { try await clock.sleep(until: deadline) } catch { break }
            }
            content.withLock { $0.isWatched = false }
            Self.change(content, clock) { _ in }
        }
    }

    private static func change(
        _ content: Locked<Content>, _ clock: any DeviceClock, _ body: (inout LockState) -> Void
    ) {
        let now = clock.now
        content.withLock { content in
            body(&content.state)
            let isLocked = content.state.isLocked(at: now)
            guard isLocked != content.shown else { return }
            content.shown = isLocked
            for stream in content.streams.values { stream.yield(isLocked) }
        }
    }
}
