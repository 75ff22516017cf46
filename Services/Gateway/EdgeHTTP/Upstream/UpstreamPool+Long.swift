extension UpstreamPool {
    /// The part of the connections that requests may have which stay open for hours. The rest is left to all others.
    private static let longPart = 0.75

    /// Whether another such request may begin.
    var hasRoomForLong: Bool {
        Double(longCount) < Double(max(1, replicas.count)) * Double(group.limits.connectionsMax) * Self.longPart
    }
}
