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
            guard current.takesBody, waited > .seconds(limits.bodySeconds) else { return }
            current.isAnswered ? linger() : refuse(.bodyTimeout)
        } else if collector.isUnderWay {
            if waited > .seconds(limits.headSeconds) { refuse(.headerTimeout) }
        } else if waited > .seconds(limits.idleSeconds) {
            close()
        }
    }

    /// Finishes the request under way, answers one that is just coming, then ends.
    func drain() {
        isDraining = true
        guard current == nil else {
            if current?.status == 0 { current?.closesAfter = true }
            return
        }
        context?.eventLoop.assumeIsolated().scheduleTask(in: ServerLimits.drainIdle) {
            if self.current == nil { self.close() }
        }
    }
}
