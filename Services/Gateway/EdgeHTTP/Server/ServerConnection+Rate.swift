internal import NIOCore

/// The least rate at which a client has to send its bodies and to take its answers.
extension ServerConnection {
    /// What the client alone is waited for, if anything; the bytes that are not sent yet have just been asked for.
    private var awaited: RateFloor.Awaited? {
        if holdings.unsent > 0 { return .answer }
        switch phase {
        case .collecting, .discarding: return .body
        case .proxying(let exchange, _):
            return !body.isDone && exchange.takesBody && !exchange.hasAnswerBegun ? .body : nil
        case .preface, .idle, .deciding, .handling, .lingering, .closed: return nil
        }
    }

    /// Bytes that the client's kernel has acknowledged since the connection began.
    private var takenBytes: Int {
        guard let channel = context?.channel else { return 0 }
        return holdings.writtenTotal - holdings.unsent - SocketMemory.unacknowledgedBytes(of: channel)
    }

    /// Ends a client that is too slow; asked once a second while something moves or is held.
    func judgeRate() {
        let awaited = awaited
        let total = awaited == .answer ? takenBytes : holdings.readTotal
        guard holdings.rate.isTooSlow(awaited, total: total, bytesPerSecondMin: limits.bytesPerSecondMin), let awaited
        else { return }
        pools.holdings.countTooSlow(awaited)
        end(tooSlowWith: awaited)
    }

    private func end(tooSlowWith awaited: RateFloor.Awaited) {
        switch (awaited, phase) {
        case (.body, .collecting), (.body, .proxying): refuse(.bodyTimeout)
        default:
            if let channel = context?.channel { SocketMemory.resetAtEnd(channel) }
            abort()
        }
    }

    /// Answers have waited for long: the connection stays if the client has taken some of them meanwhile.
    func judgeTaking() {
        askUnsent()
        let taken = takenBytes
        guard holdings.unsent > 0, taken > holdings.takenBefore else { return abort() }
        holdings.takenBefore = taken
        timer.set(seconds: limits.idleSeconds)
    }
}
