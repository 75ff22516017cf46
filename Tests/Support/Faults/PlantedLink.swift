import CryptoPrimitives

/// A link about an account, written beside user-service as if it had been mailed: the mail's way is another test's.
package struct PlantedLink: Sendable {
    package enum Purpose: String, Sendable { case confirm, confirmByLink, reset, invitation, notMe }

    package let purpose: Purpose
    /// The token that the mail would have contained.
    package let token: String

    /// Where it leads.
    package var path: String {
        switch purpose {
        case .confirm, .confirmByLink: "/auth/verify-email"
        case .reset, .invitation: "/auth/reset-password"
        case .notMe: "/auth/not-me"
        }
    }

    /// - Parameter address: a user's for a reset, any identity of a user's for a notice; otherwise that of an open registration or
    ///   invitation, of which the newest counts.
    package init(_ purpose: Purpose, for address: String, in stack: LatchkeyStack) async throws {
        let secret = SecureRandom.bytes(32)
        self.purpose = purpose
        token = Base64URL.encode(secret)
        let hash = stack.blob(SHA256.hash(secret))
        try await stack.write(
            Self.insertion(purpose, hash: hash, address: "'\(address)'", now: stack.unixTime), to: "user")
    }

    private static func insertion(_ purpose: Purpose, hash: String, address: String, now: String) -> String {
        let subject =
            switch purpose {
            case .confirm, .confirmByLink:
                "SELECT id FROM registrations WHERE address = \(address) ORDER BY created_at DESC LIMIT 1"
            case .reset, .notMe: "SELECT user_id FROM identities WHERE value = \(address)"
            case .invitation: "SELECT id FROM invitations WHERE value = \(address)"
            }
        // Whatever the user has was changed since.
        let age = purpose == .notMe ? 60 : 0
        return """
            INSERT INTO account_links (hash, purpose, subject, address, created_at, expires_at)
            VALUES (\(hash), '\(purpose.rawValue)', (\(subject)), \(address), \(now) - \(age), \(now) + 600)
            """
    }
}
