/// What came of changes that were decided on facts read before.
package enum Applied: Sendable, Equatable {
    /// All of them are durable.
    case applied
    /// The facts are others by now; nothing was changed, and the decision has to be made again.
    case stale

    /// What the attempt came to that the changes are of: `value`, if they are durable.
    package func yielding<Value>(_ value: Value) -> Attempt<Value> { self == .applied ? .held(value) : .stale }
}

/// What one attempt at an act came to.
package enum Attempt<Value> {
    /// Its facts held, and so does its result.
    case held(Value)
    /// Somebody else was faster; nothing was changed.
    case stale

    package var isHeld: Bool { if case .held = self { true } else { false } }
}

/// How often an act decides anew because somebody else was faster.
package enum Decision {
    private static let attemptsMax = 3

    /// Reads, decides and applies, again when what was read no longer held: three times at most.
    ///
    /// - Throws: what `attempt` throws; `busy` when others were faster each time.
    package static func untilItHolds<Value>(
        isolation: isolated (any Actor)? = #isolation, _ attempt: () async throws -> Attempt<Value>
    ) async throws -> Value {
        for _ in 0..<attemptsMax {
            if case .held(let value) = try await attempt() { return value }
        }
        throw StorageError(.busy, "what was to be changed was changed by others each time")
    }
}
