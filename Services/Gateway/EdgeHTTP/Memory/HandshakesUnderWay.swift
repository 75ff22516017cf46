import NIOCore
import Policies

/// A TLS handshake that has begun; called on its event loop.
protocol PendingHandshake: AnyObject {
    /// Whether it is still under way.
    var isUnderWay: Bool { get }
    /// Ends it for one that comes later.
    func giveWay()
}

/// The handshakes under way on one event loop; of too many one ends: the oldest of the address, or network of IPv6, that has
/// most of them.
///
/// Whoever finishes his handshake is soon gone from here, so what is old has mostly stopped half-way. Waiting in a queue for
/// those would let a few thousand silent clients keep all others out for as long as a handshake may take; ending the oldest of
/// all would let them end the handshakes of those whose way is long.
final class HandshakesUnderWay {
    private struct Line {
        /// In their order; some may have ended.
        var handshakes = CircularBuffer<any PendingHandshake>()
        var count = 0

        mutating func add(_ handshake: any PendingHandshake) {
            handshakes.append(handshake)
            count += 1
        }

        mutating func didEnd() {
            count -= 1
            dropEnded()
            guard handshakes.count > 2 * count + HandshakesUnderWay.endedMax else { return }
            handshakes = CircularBuffer(handshakes.filter(\.isUnderWay))
        }

        mutating func dropEnded() {
            while let first = handshakes.first, !first.isUnderWay { handshakes.removeFirst() }
        }
    }

    /// Ended ones that a line holds beyond as many as are under way.
    private static let endedMax = 16

    private var lines: [LimitScope?: Line] = [:]
    private(set) var count = 0

    /// Adds one; beyond `countMax` another ends for it.
    ///
    /// - Parameter scope: of its client; nil: unknown.
    func add(_ handshake: any PendingHandshake, of scope: LimitScope?, countMax: Int) {
        if count >= countMax { endOne() }
        lines[scope, default: Line()].add(handshake)
        count += 1
    }

    /// One of them has ended, and is no longer under way.
    func didEnd(of scope: LimitScope?) {
        guard lines[scope] != nil else { return }
        count -= 1
        lines[scope]?.didEnd()
        if lines[scope]?.count == 0 { lines[scope] = nil }
    }

    private func endOne() {
        guard let largest = lines.max(by: { $0.value.count < $1.value.count })?.key else { return }
        lines[largest]?.dropEnded()
        // It takes itself out; the line is not being changed here.
        let oldest = lines[largest]?.handshakes.first
        oldest?.giveWay()
    }
}
