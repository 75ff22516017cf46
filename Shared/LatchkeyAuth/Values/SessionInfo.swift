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
public enum SignOutScope: String, Sendable {
    /// The session of this app.
    case thisSession = "session"
    /// All sessions of the user, on every device.
    case all
}
