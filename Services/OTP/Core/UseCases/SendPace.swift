import Synchronization

/// How long sending a message takes, so that what is not sent is answered no sooner.
final class SendPace: Sendable {
    private static let longest: Duration = .seconds(5)

    private let last = Mutex<Duration>(.zero)

    /// Notes how long a message took.
    func note(_ taken: Duration) { last.withLock { $0 = min(taken, Self.longest) } }

    /// Waits for as long as the last message took.
    func wait() async throws { try await Task.sleep(for: last.withLock { $0 }) }
}
