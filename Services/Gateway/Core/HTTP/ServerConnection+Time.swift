internal import NIOCore

extension ServerConnection {
    /// Looks from time to time whether the client keeps us waiting for too long.
    func watchTime() {
        context?.eventLoop.assumeIsolated().scheduleTask(in: ServerLimits.checkInterval) {
            guard self.context != nil else { return }
            self.checkTime()
            self.watchTime()
        }
    }

    private func checkTime() {
        let waited = NIODeadline.now() - lastProgress
        if let current {
            let isTooLong =
                waited > .seconds(limits.bodySeconds) || current.collectsFor(longerThan: limits.bodyTotalSeconds)
            guard current.takesBody, isTooLong else { return }
            current.isAnswered ? linger() : refuse(.bodyTimeout)
        } else if let headStartedAt {
            if NIODeadline.now() - headStartedAt > .seconds(limits.headSeconds) { refuse(.headerTimeout) }
        } else if waited > .seconds(limits.idleSeconds) {
            close()
        }
    }

    /// Finishes the request under way, answers one that is just coming, then ends.
    func drain() {
        isDraining = true
        guard current == nil else {
            // An answer whose head is out has promised to keep the connection; it ends when it is idle.
            if current?.status == 0 { current?.closesAfter = true }
            return
        }
        closeWhenIdle()
    }

    /// Ends the connection unless a request comes soon.
    func closeWhenIdle() {
        context?.eventLoop.assumeIsolated().scheduleTask(in: ServerLimits.drainIdle) {
            if self.current == nil, !self.isLingering { self.close() }
        }
    }
}
