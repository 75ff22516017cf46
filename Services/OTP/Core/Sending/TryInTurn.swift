import Delivery

/// Tries the ways of a message one after another until one accepts it, or no other may be tried.
struct TryInTurn: Sendable {
    /// The result of sending a message.
    struct Trail: Sendable {
        /// The way that accepted it, and the provider's id of it; `nil` if none did.
        var sent: (way: Way, id: String)?
        /// The tries before, oldest first.
        var failures: [(way: Way, failure: DeliveryFailure)] = []
    }

    /// The time for one try while another way is left.
    var limitOfOne: Duration = .seconds(3)
    /// The time for all tries together.
    var limit = SendLimits.time
    /// The channel on which one try is paid already; `nil` if there is none.
    let paidChannel: String?
    /// Decides whether a way may be tried, which may cost money.
    let mayTry: @Sendable (Way) async -> Bool

    func callAsFunction(_ message: Message, over ways: [Way]) async -> Trail {
        let deadline = ContinuousClock.now + limit
        var (left, trail, paid) = (ways[...], Trail(), paidChannel)
        while let way = left.popFirst() {
            let time = deadline - .now
            guard time > .zero else { break }
            guard way.circuit?.waitSeconds() == nil else { continue }
            if way.channel == paid { paid = nil } else if !(await mayTry(way)) { continue }
            guard way.circuit?.begin() ?? true else { continue }
            do throws(DeliveryFailure) {
                let one = message.on(way.channel, within: left.isEmpty ? time : min(time, limitOfOne))
                let id = try await way.sender.send(one)
                way.circuit?.note(isOutage: false)
                trail.sent = (way, id)
                break
            } catch {
                way.circuit?.note(isOutage: error.isOutage)
                trail.failures.append((way, error))
                left = Self.rest(of: left, after: error, on: way)
            }
        }
        return trail
    }

    /// Returns the ways that are left after a failure.
    private static func rest(
        of left: ArraySlice<Way>, after failure: DeliveryFailure, on failed: Way
    ) -> ArraySlice<Way> {
        switch failure.rest {
        case .anyWay: left
        case .otherSender: left.filter { $0.sender.provider != failed.sender.provider }[...]
        case .otherChannel: left.filter { $0.channel != failed.channel }[...]
        case .nothing: []
        }
    }
}
