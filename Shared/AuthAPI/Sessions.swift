/// One of the bearer's sessions, as its owner recognises it; times are Unix seconds.
public struct SessionSummary: Codable, Sendable, Equatable {
    /// Names the session in `DELETE /sessions/{id}`; the `sid` of its access tokens.
    public var id: String
    /// What the device called itself, or else what its software says it is.
    public var deviceName: String?
    public var createdAt: Int64
    /// The last refresh, or the sign-in.
    public var lastUsedAt: Int64
    /// The network that the sign-in came from, IPv4 /24 or IPv6 /48: the address itself is not kept.
    public var address: String?
    /// Whether it is the session of the request itself.
    public var current: Bool

    public init(
        id: String, deviceName: String?, createdAt: Int64, lastUsedAt: Int64, address: String?, current: Bool
    ) {
        self.id = id
        self.deviceName = deviceName
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.address = address
        self.current = current
    }
}

/// Answer to `GET /sessions`: the live ones, newest first.
public struct SessionList: Codable, Sendable, Equatable {
    public var sessions: [SessionSummary]

    public init(sessions: [SessionSummary]) { self.sessions = sessions }
}
