import NIOCore

extension UpstreamPool {
    /// Skips addresses that send nothing although requests wait on them; called once a second.
    func lookForSilence(now: NIODeadline) {
        let sendingCount = replicas.count { $0.hasSent }
        for replica in replicas {
            replica.health.look(
                waiting: replica.waitingCount, hasSent: replica.hasSent,
                othersSent: sendingCount > (replica.hasSent ? 1 : 0), now: now)
            replica.hasSent = false
        }
    }
}
