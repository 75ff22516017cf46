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
    package init(_ purpose: Purpose, for address: String, in stack: LatchkeyStack) async throws {
        let secret = SecureRandom.bytes(32)
        self.purpose = purpose
        token = Base64URL.encode(secret)
        let hash = SHA256.hash(secret)
        if let database = stack.database {
            _ = try await database.rows(
                of: "user",
                Self.insertion(
                    purpose, hash: "'\\x\(Hex.encode(hash))'", address: "'\(address)'", now: "extract(epoch FROM now())"
                ))
        } else {
            try Self.write(
                Self.insertion(purpose, hash: "x'\(Hex.encode(hash))'", address: "'\(address)'", now: "unixepoch()"),
                to: stack.dataDirectory + "/users.sqlite")
        }
    }

    private static func insertion(_ purpose: Purpose, hash: String, address: String, now: String) -> String {
        let subject =
            switch purpose {
            case .confirm, .confirmByLink:
                "SELECT id FROM registrations WHERE address = \(address) ORDER BY created_at DESC LIMIT 1"
            case .reset: "SELECT user_id FROM identities WHERE value = \(address)"
            case .invitation: "SELECT id FROM invitations WHERE value = \(address)"
            }
        return """
            INSERT INTO account_links (hash, purpose, subject, address, created_at, expires_at)
            VALUES (\(hash), '\(purpose.rawValue)', (\(subject)), \(address), \(now), \(now) + 600)
            """
    }

    private static func write(_ sql: String, to file: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // A checkpoint inside this commit would not be under the engine's lock.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        try DatabaseQueue(path: file, configuration: configuration).write { try $0.execute(sql: sql) }
    }
}
