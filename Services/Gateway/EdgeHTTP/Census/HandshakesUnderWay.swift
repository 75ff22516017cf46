import Policies

/// The TLS handshakes under way on one event loop. If there are too many, one ends: the oldest of the IP address, or IPv6 network,
/// that has most of them.
///
/// A client that completes its handshake soon leaves this list, so an old one has mostly stopped half-way. If new clients waited in
/// a queue instead, a few thousand silent clients would keep all others out for as long as a handshake may take. If the oldest of
/// all were ended, they would end the handshakes of clients with a long round-trip time.
final class HandshakesUnderWay {
    /// The handshakes in the order in which they began.
    private var handshakes: [(connection: any ClientConnection, scope: LimitScope?)] = []
    private var counts: [LimitScope?: Int] = [:]

    var count: Int { handshakes.count }

    /// Adds a handshake. If there are more than `countMax`, another one ends.
    ///
    /// - Parameter scope: the scope of its client; `nil` if it is unknown.
    func add(_ connection: any ClientConnection, of scope: LimitScope?, countMax: Int) {
        if count >= countMax { endOne() }
        handshakes.append((connection, scope))
        counts[scope, default: 0] += 1
    }

    /// Removes a handshake that has ended.
    func remove(_ connection: any ClientConnection) {
        guard let index = handshakes.firstIndex(where: { $0.connection === connection }) else { return }
        let scope = handshakes.remove(at: index).scope
        counts[scope] = counts[scope].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    private func endOne() {
        let largest = counts.values.max()
        // The handshake removes itself.
        handshakes.first { counts[$0.scope] == largest }?.connection.giveWay()
    }
}
