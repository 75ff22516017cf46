internal import NIOCore

/// The place that a connection takes among all that are open.
struct ConnectionSlot: Sendable {
    let id: ConnectionSlots.ID
    let standing: ConnectionStanding
    let connections: OpenConnections
}

extension ServerConnection {
    /// How willingly the connection's slot is given away.
    var rank: ConnectionStanding.Rank {
        switch phase {
        case .lingering, .closed: .resting
        // Who does not take his answers counts as one who does not finish his request.
        case .idle: parser.isUnderWay || inbound.readableBytes > 0 || !takesAnswers ? .unfinished : .resting
        case .preface, .collecting, .discarding: .unfinished
        case .deciding, .handling: .answering
        case .proxying(let exchange, _): body.isDone || exchange.hasAnswerBegun ? .answering : .unfinished
        }
    }

    /// Tells what the connection is doing now; something has just moved.
    func noteStanding() { slot.standing.note(.init(rank, milliseconds: CoarseClock.milliseconds())) }

    /// Ends the connection for another that waits for its slot, unless it is of more use by now than when it was chosen.
    func giveUpSlot(chosenAs chosen: ConnectionStanding.Rank) {
        guard rank.rawValue <= chosen.rawValue else { return slot.connections.keep(slot.id) }
        shed()
    }

    /// Ends the connection at once, with 503 where an answer is still possible.
    func shed() {
        let hasUntaken = holdings.kernel > 0 || holdings.unsent > 0 || !takesAnswers
        let isAnswerPossible =
            switch phase {
            case _ where !takesAnswers: false
            case .idle: parser.isUnderWay
            case .deciding, .collecting, .handling, .proxying: current?.status == 0
            case .preface, .discarding, .lingering, .closed: false
            }
        if isAnswerPossible {
            if case .proxying(let exchange, _) = phase { exchange.cancel() }
            refuseForLackOfRoom()
        } else if hasUntaken, let channel = context?.channel {
            // What a client does not take would stay with the kernel for minutes.
            SocketMemory.resetAtEnd(channel)
        }
        abort()
    }

    private func refuseForLackOfRoom() {
        closesAfter = true
        var reply = router.upstreamFailure(.overloaded)
        reply.closes = true
        let id = current?.id ?? RequestID(from: &ids)
        current?.status = reply.status
        gather(reply, id: id, isHEAD: current?.head.method == .head, adding: current?.answerLines ?? [])
        flush()
    }
}
