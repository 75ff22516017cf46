package import ServiceKit
import Synchronization

/// The refusals that one call meets because of its times, before it is carried out.
package final class CallRefusals: Sendable {
    /// The maximum number of refusals after which the call is repeated. With several replicas behind one name, each sends its own
    /// challenge; a call that repeats all of them is accepted by every replica that it has met.
    static let repeatsMax = CallChallenge.repeatedMax

    private struct State {
        var newest: CallRefusal?
        /// The newest challenge of each replica, the oldest first.
        var challenges: [CallChallenge] = []
        var count = 0
        /// The newest has not led to a repeat yet.
        var isOpen = false
    }

    private let service: String
    private let clocks: ClockPeers
    private let state = Mutex(State())

    /// - Parameters:
    ///   - service: The short name of the called process.
    ///   - clocks: Learns how the service's clock differs.
    package init(of service: String, clocks: ClockPeers) {
        self.service = service
        self.clocks = clocks
    }

    /// The challenges that the next attempt has to repeat.
    package var challenges: [CallChallenge] { state.withLock(\.challenges) }

    package func note(_ refusal: CallRefusal) {
        state.withLock { state in
            state.newest = refusal
            state.challenges.removeAll { $0.run == refusal.challenge.run }
            state.challenges.append(refusal.challenge)
            if state.challenges.count > CallChallenge.repeatedMax { state.challenges.removeFirst() }
            state.count += 1
            state.isOpen = true
        }
        if refusal.isOfClocks { clocks.note(service, ahead: -refusal.aheadMilliseconds) }
    }

    /// Notes that the service carried the call out.
    package func noteSuccess() { clocks.note(service, ahead: nil) }

    /// Returns whether the last attempt was refused and another one may be accepted.
    package func allowsRepeat() -> Bool {
        state.withLock { state in
            defer { state.isOpen = false }
            guard state.isOpen, let newest = state.newest, !newest.isOfClocks else { return false }
            return state.count <= Self.repeatsMax
        }
    }

    /// Why the call was refused, for the log; `nil` if it was not.
    package var reason: String? {
        state.withLock(\.newest).map { refusal in
            refusal.isOfClocks
                ? "its clock is \(ClockDifference.words(-refusal.aheadMilliseconds)) this process's"
                : "it did not accept the call in time"
        }
    }
}

extension CallRefusal {
    /// Whether the wall clocks differ too much.
    var isOfClocks: Bool { aheadMilliseconds.magnitude > UInt64(AssertionVerifier.differenceMillisecondsMax) }
}
