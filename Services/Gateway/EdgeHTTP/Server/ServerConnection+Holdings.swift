import NIOCore

/// The memory of a connection, the rate of its client, and the release of its slot.
extension ServerConnection: HeldConnection, SlotHolder {
    /// Notes bytes that the client sent.
    func didRead(_ count: Int) {
        holdings.didRead(count)
        pools.holdings.didMove(count)
    }

    /// Notes bytes that were written to the client.
    func didWrite(_ count: Int) {
        holdings.didWrite(count)
        pools.holdings.didMove(count)
    }

    func noteHoldings() {
        guard holdings.position != nil else { return }
        let asksUpstream = !machine.isRequestWhole || holdings.hasUnsentUpstream
        let delta = holdings.count(
            machine.inboundCapacity + exchange.heldBytes, on: context?.channel,
            upstream: asksUpstream ? exchange.upstreamChannel : nil)
        if delta != 0 { pools.holdings.change(by: delta) }
    }

    func look(isShort: Bool) {
        guard let channel = context?.channel else { return }
        holdings.look(at: channel, upstream: exchange.upstreamChannel, isShort: isShort)
        noteHoldings()
    }

    func judgeRate() {
        // The unsent bytes have just been read from the kernel.
        let awaited: RateFloor.Awaited? =
            holdings.unsent > 0 ? .answer : machine.awaitsBody(exchange.bodyDemand) ? .body : nil
        let channel = context?.channel
        guard holdings.isTooSlow(awaited, on: channel, bytesPerSecondMin: limits.bytesPerSecondMin), let awaited else {
            return
        }
        pools.holdings.countTooSlow(awaited)
        if awaited == .body, machine.stage == .exchange { return refuse(.bodyTimeout) }
        if let channel { SocketMemory.resetAtEnd(channel) }
        abort()
    }

    var rank: ConnectionStanding.Rank { machine.rank(exchange.bodyDemand, takesAnswers: takesAnswers) }

    /// Records the connection's current state after progress.
    func noteStanding() { slot.standing.note(.init(rank, milliseconds: CoarseClock.milliseconds())) }

    /// Ends the connection in favour of one that waits for its slot, unless its rank has risen since it was chosen.
    func giveUpSlot(chosenAs chosen: ConnectionStanding.Rank) {
        guard rank.rawValue <= chosen.rawValue else { return slot.connections.keep(slot.id) }
        shed()
    }

    func shed() {
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
