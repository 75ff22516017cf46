public import LatchkeyAuth

/// Surroundings that change when a test says so.
public final class TestSurroundings: Surroundings {
    private let streams = Guarded<[AsyncStream<Change>.Continuation]>([])

    public init() {}

    public var changes: AsyncStream<Change> {
        AsyncStream { stream in streams.change { $0.append(stream) } }
    }

    /// Tells every session of this change.
    public func change(_ change: Change) {
        for stream in streams.change({ $0 }) { stream.yield(change) }
    }
}
