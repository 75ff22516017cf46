import NIOCore
import NIOHTTP2

/// The stream's part of what its connection holds, and the rate of its client.
extension HTTP2Stream {
    /// Whether the request is being decided or answered.
    var isAnswering: Bool { hasAnswerBegun || hasPassedLast || hasLast || hasBegun && exchange.bodyDemand == .none }

    /// The bytes that the request makes the gateway hold.
    var heldBytes: Int {
        let upload = hasPassedLast ? nil : exchange.upstreamChannel
        return HTTP2Limits.streamBytes + fieldBytes + exchange.heldBytes + received.storageCapacity + unsent
            + upstreamKernelBytes + (upload.map(ConnectionHoldings.unsentBytes) ?? 0)
    }

    /// Notes that bytes of the response have left for the connection.
    func didSend(_ count: Int) {
        unsent -= count
        sentTotal += count
    }

    /// Ends the stream of a client that is too slow. Where the whole connection is slow, that is judged instead.
    func judgeRate() {
        upstreamKernelBytes = exchange.upstreamChannel.map(SocketMemory.queuedBytes) ?? 0
        let awaitsBody = lacksBody && !hasAnswerBegun && exchange.bodyDemand == .wanted
        let awaited: RateFloor.Awaited? =
            unsent > 0 && connection.isWritable ? .answer : awaitsBody ? .body : nil
        let total = awaited == .answer ? sentTotal : readTotal
        guard rate.isTooSlow(awaited, total: total, bytesPerSecondMin: connection.limits.bytesPerSecondMin),
            let awaited
        else { return }
        connection.pools.census.countTooSlow(awaited)
        if awaited == .body { refuse(.bodyTimeout) } else { reset(.cancel) }
    }
}
