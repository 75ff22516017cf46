import ServiceKit
import Synchronization

/// Remembers each nonce for at least its lifetime, and at most twice as long.
final class NonceMemory: Sendable {
    private struct State {
        var nonces: RecentTable<UInt128, Void>
        var turnedAt: Int64 = 0
    }

    private let lifetimeMilliseconds: Int64
    private let state: Mutex<State>

    /// - Parameter entriesMax: the maximum number of nonces per lifetime; beyond it new ones are refused rather than old ones
    ///   forgotten.
    init(lifetimeMilliseconds: Int64, entriesMax: Int = 2_000_000) {
        self.lifetimeMilliseconds = lifetimeMilliseconds
        state = Mutex(State(nonces: RecentTable(countMax: 2 * entriesMax)))
    }

    /// Returns whether the nonce is new, and remembers it.
    ///
    /// - Parameter now: Milliseconds of `BootClock`: if a settable clock was set forward, nonces would be forgotten while
    ///   they are valid.
    func insert(_ nonce: [UInt8], now: Int64) -> Bool {
        // Stored as one number, since an array for each would take four times the memory.
        let nonce = nonce.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return state.withLock { state in
            turn(&state, now: now)
            guard state.nonces[nonce] == nil, !state.nonces.isFull else { return false }
            state.nonces[nonce] = ()
            return true
        }
    }

    private func turn(_ state: inout State, now: Int64) {
        let age = now - state.turnedAt
        guard age >= lifetimeMilliseconds else { return }
        state.nonces.turn()
        if age >= 2 * lifetimeMilliseconds { state.nonces.turn() }
        state.turnedAt = now
    }
}
