import NIOCore
import Policies

/// A TLS handshake that has begun. It is called on its event loop.
protocol PendingHandshake: AnyObject {
    /// Whether it is still under way.
    var isUnderWay: Bool { get }
    /// Ends it in favour of a later one.
    func giveWay()
}

/// The handshakes under way on one event loop. If there are too many, one ends: the oldest of the IP address, or IPv6 network, that
/// has most of them.
///
/// A client that completes its handshake soon leaves this list, so an old one has mostly stopped half-way. If new clients waited in
/// a queue instead, a few thousand silent clients would keep all others out for as long as a handshake may take. If the oldest of
/// all were ended, they would end the handshakes of clients with a long round-trip time.
final class HandshakesUnderWay {
    private struct Line {
        /// The handshakes in their order, of which some may have ended.
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

    /// The number of ended handshakes that a line may contain beyond the number under way.
    private static let endedMax = 16

    private var lines: [LimitScope?: Line] = [:]
    private(set) var count = 0

    /// Adds a handshake. If there are more than `countMax`, another one ends.
    ///
    /// - Parameter scope: the scope of its client; `nil` if it is unknown.
    func add(_ handshake: any PendingHandshake, of scope: LimitScope?, countMax: Int) {
        if count >= countMax { endOne() }
        lines[scope, default: Line()].add(handshake)
        count += 1
    }

    /// Notes that a handshake has ended.
    func didEnd(of scope: LimitScope?) {
        guard lines[scope] != nil else { return }
        count -= 1
        lines[scope]?.didEnd()
        if lines[scope]?.count == 0 { lines[scope] = nil }
    }

    private func endOne() {
        guard let largest = lines.max(by: { $0.value.count < $1.value.count })?.key else { return }
        lines[largest]?.dropEnded()
        // The handshake removes itself; the line is not being changed here.
        let oldest = lines[largest]?.handshakes.first
        oldest?.giveWay()
    }
}
