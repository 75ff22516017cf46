import NIOCore
import NIOHTTP2

/// The connection in the census. It has one slot, and holds what its streams hold.
extension HTTP2Connection: ClientConnection {
    var rank: ConnectionRank {
        switch stage {
        case .lingering, .closed: return .leaving
        case .open, .announced, .draining: break
        }
        guard !streams.isEmpty else { return frameEnd == nil && isWritable ? .idle : .unfinished }
        return streams.values.contains(where: \.isAnswering) ? .answering : .unfinished
    }

    var ownBytes: Int { streams.values.reduce(0) { $0 + $1.heldBytes } }
    /// The streams count what waits at their upstreams themselves.
    var upstreamChannel: (any Channel)? { nil }
    var sendsUpstream: Bool { false }

    func judgeRate() {
        let channel = context?.channel
        // The unsent bytes have just been read from the kernel.
        let awaited: RateFloor.Awaited? = holdings.unsent > 0 ? .answer : nil
        guard holdings.isTooSlow(awaited, on: channel, bytesPerSecondMin: limits.bytesPerSecondMin) else {
            for stream in Array(streams.values) { stream.judgeRate() }
            return
        }
        pools.census.countTooSlow(.answer)
        if let channel { SocketMemory.resetAtEnd(channel) }
        abort()
    }

    func giveWay() {
        if isWritable {
            for stream in Array(streams.values) { stream.giveWay() }
            write(.rootStream, .goAway(lastStreamID: lastStream, errorCode: .noError, opaqueData: nil))
            context?.flush()
        }
        if holdings.hasUntaken || !isWritable, let channel = context?.channel { SocketMemory.resetAtEnd(channel) }
        abort()
    }
}
