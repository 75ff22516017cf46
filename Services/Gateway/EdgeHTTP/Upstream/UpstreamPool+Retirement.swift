extension UpstreamPool {
    /// Closes the idle connections of a retired upstream, and returns whether no request is left.
    func hasRetired() -> Bool {
        guard group.isRetired else { return false }
        for replica in replicas { replica.closeIdle() }
        return waitingCount == 0 && replicas.allSatisfy { $0.openCount == 0 }
    }
}
