import CallDeadlines
import Synchronization

/// Compares this process's wall clock with those of the processes that it calls or is called by.
package struct ClockComparison: Sendable {
    /// How long a comparison counts, in milliseconds.
    static let memoryMilliseconds: Int64 = 10_000
    /// The maximum number of processes.
    static let peersMax = 256

    private var peers: [String: (ahead: Int64?, at: Int64)] = [:]

    package init() {}

    /// Notes a comparison.
    ///
    /// - Parameters:
    ///   - ahead: By how many milliseconds the peer's clock is ahead of ours; `nil` if the clocks agree.
    ///   - now: Milliseconds of `BootClock`.
    package mutating func note(_ peer: String, ahead: Int64?, now: Int64) {
        if peers[peer] == nil, peers.count >= Self.peersMax {
            peers = peers.filter { now - $0.value.at < Self.memoryMilliseconds }
            guard peers.count < Self.peersMax else { return }
        }
        peers[peer] = (ahead, now)
    }

    /// Returns which clocks differ from ours, if they are the majority: then ours is the wrong one, or there is no telling.
    package func problem(now: Int64) -> String? {
        let fresh = peers.filter { now - $0.value.at < Self.memoryMilliseconds }
        let different = fresh.compactMap { peer, value in value.ahead.map { (peer, $0) } }.sorted { $0.0 < $1.0 }
        guard different.count * 2 > fresh.count else { return nil }
        return different.prefix(8)
            .map { "the clock of \($0.0) is \(ClockDifference.words($0.1)) this process's" }.joined(separator: "; ")
    }
}

/// The comparison that a process's calls share.
package final class ClockPeers: Sendable {
    private let comparison = Mutex(ClockComparison())

    package init() {}

    package func note(_ peer: String, ahead: Int64?) {
        comparison.withLock { $0.note(peer, ahead: ahead, now: Moment.now().milliseconds) }
    }

    /// Which clocks differ, as a line for the operator; `nil` if the majority agrees with ours.
    package var problem: String? { comparison.withLock { $0.problem(now: Moment.now().milliseconds) } }
}

/// A difference of clocks in words.
package enum ClockDifference {
    /// Returns seconds with one digit after the point, e.g. `-600.0`.
    package static func text(_ milliseconds: Int64) -> String {
        let tenths = milliseconds.magnitude / 100
        return "\(milliseconds < 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
    }

    /// Returns e.g. `600.0 s ahead of`.
    package static func words(_ ahead: Int64) -> String {
        "\(text(Int64(clamping: ahead.magnitude))) s \(ahead < 0 ? "behind" : "ahead of")"
    }
}
