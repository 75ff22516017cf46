import Foundation

/// A stand-in for the lock of Apple's systems, with the declarations that the library uses.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    /// `state` is only accessed while the lock is held.
    private final class Content {
        var state: State
        let lock = NSLock()

        init(_ state: State) { self.state = state }
    }
    private let content: Content

    public init(initialState: State) { content = Content(initialState) }

    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try content.lock.withLock { try body(&content.state) }
    }
}
