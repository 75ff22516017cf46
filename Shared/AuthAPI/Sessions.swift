/// One of the bearer's sessions, with the details by which its owner recognises it; times are Unix seconds.
public struct SessionSummary: Codable, Sendable, Equatable {
    /// The session's id for `DELETE /sessions/{id}`; the `sid` of its access tokens.
    public var id: String
    /// The device's own name, or a name derived from its software.
    public var deviceName: String?
    public var createdAt: Int64
    /// The time of the last refresh, or of the sign-in.
    public var lastUsedAt: Int64
    /// The network of the sign-in, IPv4 /24 or IPv6 /48: the IP address itself is not stored.
    public var address: String?
    /// Whether the request was made with this session.
    public var current: Bool
    /// `true` for the session of a web page, whose tokens are in cookies; missing otherwise.
    public var web: Bool?
    /// `true` for the session of a person of the operator who acts as the user; missing otherwise.
    public var acting: Bool?

    public init(
        id: String, deviceName: String?, createdAt: Int64, lastUsedAt: Int64, address: String?, current: Bool,
        web: Bool? = nil, acting: Bool? = nil
    ) {
        self.id = id
        self.deviceName = deviceName
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.address = address
        self.current = current
        self.web = web
        self.acting = acting
    }
}

/// The response to `GET /sessions`: the live sessions, newest first.
public struct SessionList: Codable, Sendable, Equatable {
    public var sessions: [SessionSummary]

    public init(sessions: [SessionSummary]) { self.sessions = sessions }
}
