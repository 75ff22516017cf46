/// Changes of the device and the app that matter to a session.
public protocol Surroundings: Sendable {
    /// The changes from now on.
    var changes: AsyncStream<Change> { get }
}

/// A change of the device or the app.
public enum Change: String, Sendable {
    /// The app came to the foreground.
    case foreground
    /// The app went to the background. The access token and the profile leave the memory.
    case background
    /// The device was unlocked for the first time since it started.
    case protectedDataThere
    /// The network came back.
    case networkBack
}

/// Surroundings that never change, for a command-line tool or a server.
public struct FixedSurroundings: Surroundings {
    public init() {}

    public var changes: AsyncStream<Change> { AsyncStream { $0.finish() } }
}
