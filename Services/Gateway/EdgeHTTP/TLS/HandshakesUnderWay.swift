import NIOCore

/// The handshakes under way on one event loop; of too many the oldest ends.
///
/// Whoever finishes his handshake is soon gone from here, so what is oldest has mostly stopped half-way. Waiting in a queue
/// for those would let a few thousand silent clients keep all others out for as long as a handshake may take.
final class HandshakesUnderWay {
    private var order = CircularBuffer<TLSHandshake>()
    private(set) var count = 0

    /// Adds one; beyond `countMax` the oldest ends for it.
    func add(_ handshake: TLSHandshake, countMax: Int) {
        while count >= countMax, let oldest = order.popFirst() {
            guard oldest.isShaking else { continue }
            oldest.giveWay()
        }
        order.append(handshake)
        count += 1
    }

    /// One of them has ended.
    func didEnd() {
        count -= 1
        // Those that have ended are let go as soon as they are the oldest, and all together once they are the most.
        while let oldest = order.first, !oldest.isShaking { order.removeFirst() }
        if order.count > 2 * count + Self.endedMax { order = CircularBuffer(order.filter(\.isShaking)) }
    }

    private static let endedMax = 64
}
