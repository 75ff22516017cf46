/// The result of applying changes that were decided on facts read before.
package enum Applied: Sendable, Equatable {
    /// All of them are durable.
    case applied
    /// The facts have changed since; nothing was written, and the decision has to be made again.
    case stale

    /// Returns the result of the attempt that made the changes: `value`, if they are durable.
    package func yielding<Value>(_ value: Value) -> Attempt<Value> { self == .applied ? .held(value) : .stale }
}

/// The outcome of one attempt at an operation.
package enum Attempt<Value> {
    /// The facts were still true, so the result is valid.
    case held(Value)
    /// Another request was faster; nothing was changed.
    case stale

    package var isHeld: Bool { if case .held = self { true } else { false } }
}

/// Repeats an operation that has to decide again, because another request was faster.
package enum Decision {
    private static let attemptsMax = 3

    /// Reads, decides and applies, and starts again if the facts have changed: at most three times.
    ///
    /// - Throws: The error of `attempt`; `busy` if other requests were faster each time.
    package static func untilItHolds<Value>(
        isolation: isolated (any Actor)? = #isolation, _ attempt: () async throws -> Attempt<Value>
    ) async throws -> Value {
        for _ in 0..<attemptsMax {
            if case .held(let value) = try await attempt() { return value }
        }
        throw StorageError(.busy, "other requests changed the same data during all three attempts")
    }
}
