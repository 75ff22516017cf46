import Synchronization

/// The pace of the last calls to the provider: how long each took, and the answer to the last one.
///
/// A call that is left out on purpose returns like the others: after a time drawn from the recent ones, with the last call's
/// result.
final class SendPace<Answer: Sendable>: Sendable {
    private static var longest: Duration { .seconds(5) }
    private static var keptMax: Int { 64 }
    /// The wait, in milliseconds, while the process has sent nothing yet.
    private static var firstWait: ClosedRange<Int> { 100...500 }

    private struct State {
        var taken: [(duration: Duration, isFailure: Bool)] = []
        var last: Answer?
        /// How much longer a wait takes than requested.
        var lateness: Duration = .zero
    }

    private let state = Mutex(State())

    /// Notes a call that was made to the provider.
    func note(_ taken: Duration, _ answer: Answer, isFailure: Bool) {
        state.withLock { state in
            if state.taken.count == Self.keptMax { state.taken.removeFirst() }
            state.taken.append((min(taken, Self.longest), isFailure))
            state.last = answer
        }
    }

    /// Waits as a call to the provider would, and returns the answer of the last one, or `nil` if there was none.
    func echo() async throws -> Answer? {
        let (wait, lateness, answer) = state.withLock { state in
            let isFailure = state.taken.last?.isFailure
            let drawn = state.taken.filter { $0.isFailure == isFailure }.randomElement()?.duration
            return (drawn ?? .milliseconds(Int.random(in: Self.firstWait)), state.lateness, state.last)
        }
        let start = ContinuousClock.now
        let asked = max(.zero, wait - lateness)
        try await Task.sleep(for: asked, tolerance: .zero)
        noteLateness(ContinuousClock.now - start - asked)
        return answer
    }

    private func noteLateness(_ late: Duration) {
        let boundMilliseconds = 5
        state.withLock { state in
            state.lateness = (state.lateness * 7 + min(late, .milliseconds(boundMilliseconds))) / 8
        }
    }
}
