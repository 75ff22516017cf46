import NIOCore

/// The connection in the census: what it holds, how fast its client is, and how it gives way.
extension ServerConnection: ClientConnection {
    var rank: ConnectionRank { machine.rank(exchange.bodyDemand, takesAnswers: takesAnswers) }
    var ownBytes: Int { machine.inboundCapacity + exchange.heldBytes }
    var upstreamChannel: (any Channel)? { exchange.upstreamChannel }
    var sendsUpstream: Bool { !machine.isRequestWhole }

    func judgeRate() {
        // The unsent bytes have just been read from the kernel.
        let awaited: RateFloor.Awaited? =
            holdings.unsent > 0 ? .answer : machine.awaitsBody(exchange.bodyDemand) ? .body : nil
        let channel = context?.channel
        guard holdings.isTooSlow(awaited, on: channel, bytesPerSecondMin: limits.bytesPerSecondMin), let awaited else {
            return
        }
        pools.census.countTooSlow(awaited)
        if awaited == .body, machine.stage == .exchange { return refuse(.bodyTimeout) }
        if let channel { SocketMemory.resetAtEnd(channel) }
        abort()
    }

    func giveWay() {
        if takesAnswers, machine.owesAnswer {
            let (reply, frame) = exchange.giveUpForLackOfRoom(RefusedHead(machine.headBytes, from: peer))
            machine.beginReply(closes: true)
            gather(reply, as: frame)
            flush()
        } else if holdings.hasUntaken || !takesAnswers, let channel = context?.channel {
            // Bytes that a client does not accept would stay with the kernel for minutes.
            SocketMemory.resetAtEnd(channel)
        }
        abort()
    }
}
