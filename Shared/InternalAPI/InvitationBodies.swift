/// Invites a person to become a user with a role, even if the policy admits no new users otherwise.
package struct InviteRequest: Codable, Sendable, Equatable {
    /// An email address, or a phone number with `+` and calling code.
    package var to: String
    /// The role of the new user; `nil` means the default role.
    package var role: String?
    /// Identifies the call, so that a repeat sends nothing more; `nil` if each call invites again.
    package var callID: String?

    package init(to: String, role: String? = nil, callID: String? = nil) {
        self.to = to
        self.role = role
        self.callID = callID
    }
}

/// The result of an operator's invitation.
package struct InviteAnswer: Codable, Sendable, Equatable {
    /// Unix time in seconds.
    package var expiresAt: Int64
    /// Whether a mail with a link goes out.
    package var isMailed: Bool

    package init(expiresAt: Int64, isMailed: Bool) {
        self.expiresAt = expiresAt
        self.isMailed = isMailed
    }
}
