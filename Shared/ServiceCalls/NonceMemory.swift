import Synchronization

/// Remembers each nonce for at least its lifetime, and at most twice as long.
///
/// Two sets alternate, so that forgetting costs nothing per entry.
final class NonceMemory: Sendable {
    /// The maximum number of nonces per lifetime; beyond it new ones are refused rather than old ones forgotten.
    static let entriesMax = 2_000_000

    private struct State {
        var current: Set<UInt128> = []
        var previous: Set<UInt128> = []
        var turnedAt: Int64 = 0
    }

    private let lifetimeMilliseconds: Int64
    private let state = Mutex(State())

    init(lifetimeMilliseconds: Int64) { self.lifetimeMilliseconds = lifetimeMilliseconds }

    /// Returns whether the nonce is new, and remembers it.
    ///
    /// - Parameter now: Milliseconds of `BootClock`: if a settable clock was set forward, nonces would be forgotten while
    ///   they are valid.
    func insert(_ nonce: [UInt8], now: Int64) -> Bool {
        // Stored as one number, since an array for each would take four times the memory.
        let nonce = nonce.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return state.withLock { state in
            turn(&state, now: now)
            guard !state.previous.contains(nonce), state.current.count < Self.entriesMax else { return false }
            return state.current.insert(nonce).inserted
        }
    }

    private func turn(_ state: inout State, now: Int64) {
        let age = now - state.turnedAt
        guard age >= lifetimeMilliseconds else { return }
        state.previous = age < 2 * lifetimeMilliseconds ? state.current : []
        state.current = []
        state.turnedAt = now
    }
}
