import NIOCore

extension UpstreamPool {
    /// The part of the connections that requests may have which stay open for hours. The rest is left to all others.
    private static let longPart = 0.75

    /// Whether another such request may begin. An address that is skipped has no room for it.
    var hasRoomForLong: Bool {
        let now = NIODeadline.now()
        let servingCount = max(1, replicas.count { $0.isHealthy(now: now) })
        return Double(longCount) < Double(servingCount) * Double(group.limits.connectionsMax) * Self.longPart
    }
}
