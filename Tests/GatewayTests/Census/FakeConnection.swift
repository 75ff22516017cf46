import NIOCore
import NIOEmbedded

@testable import EdgeHTTP

/// A connection that holds so many bytes and does nothing.
final class FakeConnection: ClientConnection {
    let slot: ConnectionSlot
    var holdings = ConnectionHoldings()
    let rank = ConnectionRank.unfinished
    let ownBytes: Int
    let upstreamChannel: (any Channel)? = nil
    let sendsUpstream = false
    private let leave: (FakeConnection) -> Void
    private(set) var hasGivenWay = false

    /// - Parameter leave: is called when the connection gives way.
    init(bytes: Int = 0, on loop: EmbeddedEventLoop = EmbeddedEventLoop(), leave: @escaping (FakeConnection) -> Void) {
        slot = ConnectionSlot(
            id: 0, channel: EmbeddedChannel(loop: loop), census: ConnectionCensus(connectionsMax: 16),
            standing: Standing(.unfinished, milliseconds: 0))
        ownBytes = bytes
        self.leave = leave
    }

    func judgeRate() {}
    func drain() {}
    func abort() {}

    func giveWay() {
        hasGivenWay = true
        leave(self)
    }
}
