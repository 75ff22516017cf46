import CryptoPrimitives

/// A client as stored: a back end or a job that gets tokens of its own. Times are Unix seconds.
///
/// A secret is 256 random bits, so its SHA-256 reveals nothing and cannot be searched for: a slow hash, as passwords need, would only
/// cost time at each token.
package struct APIClient: Sendable, Equatable {
    /// A secret's SHA-256, and when it was made.
    package struct Secret: Sendable, Equatable {
        package let hash: [UInt8]
        package let madeAt: Int64

        package init(hash: [UInt8], madeAt: Int64) { (self.hash, self.madeAt) = (hash, madeAt) }
    }

    /// The number of secrets, and of keys, that are valid at a time.
    package static let credentialsMax = 2
    package static let sidByteCount = 12

    /// The `client_id`.
    package let id: String
    /// The key in the list of revocations. A client that is made again under the same id has another.
    package let sid: [UInt8]
    package let role: String
    package let createdAt: Int64
    /// Newest first.
    package var secrets: [Secret]
    /// Public keys as JWKs, newest first.
    package var keys: [String]
    package var revokedAt: Int64?

    package init(
        id: String, sid: [UInt8], role: String, createdAt: Int64, secrets: [Secret], keys: [String] = [],
        revokedAt: Int64? = nil
    ) {
        (self.id, self.sid, self.role, self.createdAt) = (id, sid, role, createdAt)
        (self.secrets, self.keys, self.revokedAt) = (secrets, keys, revokedAt)
    }

    /// A new client.
    ///
    /// - Parameter now: Unix time in seconds, with which the `sid` begins as those of sessions do.
    static func new(_ id: String, role: String, secretHash: [UInt8], now: Int64) -> APIClient {
        let time = BigEndian.bytes(UInt64(clamping: now), count: 4)
        return APIClient(
            id: id, sid: time + SecureRandom.bytes(sidByteCount - time.count), role: role, createdAt: now,
            secrets: [Secret(hash: secretHash, madeAt: now)])
    }
}

extension APIClient {
    /// The client in the list of security decisions, whose subjects have 16 bytes: its `sid` and zeros.
    package var decisionSubject: UserID? {
        UserID(bytes: sid + [UInt8](repeating: 0, count: UserID.byteCount - Self.sidByteCount))
    }

    /// Adds a secret beside the newest one, or in place of all. The newest one, sent again, changes nothing but that.
    func adding(secretHash: [UInt8], endsEarlier: Bool, now: Int64) -> APIClient {
        var client = self
        let isNew = secrets.first?.hash != secretHash
        let all = (isNew ? [Secret(hash: secretHash, madeAt: now)] : []) + secrets
        client.secrets = Array(all.prefix(endsEarlier ? 1 : Self.credentialsMax))
        return client
    }

    /// Adds a public key in the same way.
    func adding(key: String, endsEarlier: Bool) -> APIClient {
        var client = self
        let all = [key] + keys.filter { $0 != key }
        client.keys = Array(all.prefix(endsEarlier ? 1 : Self.credentialsMax))
        return client
    }

    /// Whether the secret is one of the client's. Each is compared, so that the time says nothing.
    func accepts(secret: String) -> Bool {
        let hash = SHA256.hash(Array(secret.utf8))
        return secrets.map { constantTimeEqual(hash, $0.hash) }.contains(true)
    }
}
