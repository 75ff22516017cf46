public import Foundation

/// One of the user's sessions, for a screen that lists where they are signed in.
public struct SessionInfo: Sendable, Equatable, Identifiable {
    public let id: String
    /// The name that the device gave itself, or else a description of its software.
    public let deviceName: String?
    public let createdAt: Date
    /// The time of the last renewal, or of the sign-in.
    public let lastUsedAt: Date
    /// Whether it is the session of this app.
    public let isCurrent: Bool
}

extension SessionInfo {
    /// A session as the server's JSON describes it, or `nil` if a member is missing.
    init?(_ json: JSONValue) {
        guard let members = json.members, let id = members["id"]?.text, let created = members["createdAt"]?.whole,
            let used = members["lastUsedAt"]?.whole
        else { return nil }
        self.id = id
        deviceName = members["deviceName"]?.text
        createdAt = Date(timeIntervalSince1970: Double(created))
        lastUsedAt = Date(timeIntervalSince1970: Double(used))
        isCurrent = members["current"] == .boolean(true)
    }
}

/// The sessions that a sign-out ends.
public enum SignOutScope: Sendable {
    /// The session of this app.
    case thisSession
    /// All sessions of the user, on every device.
    case all
    /// All sessions of the user but that of this app.
    case others
}

/// The result of a sign-out. The user is signed out on this device in any case, unless the scope was ``SignOutScope/others``.
public struct SignOutResult: Sendable, Equatable {
    /// Whether the sign-out is stored, so that it holds after a restart of the app.
    public let isStored: Bool
    /// Whether the server has ended the session. If it has not, it is told later: when the network is back, and at the next
    /// start.
    public let isConfirmed: Bool
}
