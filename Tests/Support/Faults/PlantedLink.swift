import CryptoPrimitives
import FoundationEssentials
import GRDB

/// A link about an account, written beside user-service as if it had been mailed: the mail's way is another test's.
package struct PlantedLink: Sendable {
    package enum Purpose: String, Sendable { case confirm, confirmByLink, reset, invitation }

    package let purpose: Purpose
    /// The token that the mail would have contained.
    package let token: String

    /// Where it leads.
    package var path: String {
        switch purpose {
        case .confirm, .confirmByLink: "/auth/verify-email"
        case .reset, .invitation: "/auth/reset-password"
        }
    }

    /// - Parameter address: of a user for a reset, of an open registration or invitation otherwise; the newest one's.
    package init(_ purpose: Purpose, for address: String, in stack: LatchkeyStack) throws {
        let secret = SecureRandom.bytes(32)
        self.purpose = purpose
        token = Base64URL.encode(secret)
        let subject =
            switch purpose {
            case .confirm, .confirmByLink:
                "SELECT id FROM registrations WHERE address = ? ORDER BY created_at DESC LIMIT 1"
            case .reset: "SELECT user_id FROM identities WHERE value = ?"
            case .invitation: "SELECT id FROM invitations WHERE value = ?"
            }
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // A checkpoint inside this commit would not be under the engine's lock.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        try DatabaseQueue(path: stack.dataDirectory + "/users.sqlite", configuration: configuration).write { database in
            try database.execute(
                sql: """
                    INSERT INTO account_links (hash, purpose, subject, address, expires_at)
                    VALUES (?, ?, (\(subject)), ?, unixepoch() + 600)
                    """,
                arguments: [Data(SHA256.hash(secret)), purpose.rawValue, address, address])
        }
    }
}
