/// What came of changes that were decided on facts read before.
package enum Applied: Sendable, Equatable {
    /// All of them are durable.
    case applied
    /// The facts are others by now; nothing was changed, and the decision has to be made again.
    case stale
}

/// How often an act decides anew because somebody else was faster.
package enum Decision {
    private static let attemptsMax = 3

    /// Reads, decides and applies, again when what was read no longer held: three times at most.
    ///
    /// - Parameter attempt: nil when its changes were stale.
    /// - Throws: what `attempt` throws; `busy` when others were faster each time.
    package static func untilItHolds<Value>(
        isolation: isolated (any Actor)? = #isolation, _ attempt: () async throws -> Value?
    ) async throws -> Value {
        for _ in 0..<attemptsMax {
            if let value = try await attempt() { return value }
        }
        throw StorageError(.busy, "what was to be changed was changed by others each time")
    }
}
