import CryptoPrimitives
package import InternalAPI
package import WebAuthn

/// A passkey of a user, or a restore key; times are Unix seconds.
package struct StoredPasskey: Sendable, Equatable {
    package static let idByteCount = 16

    /// Identifies the passkey in lists, sessions and records: random, so that it reveals nothing of the credential.
    package let id: [UInt8]
    package let user: UserID
    package let kind: PasskeyKind
    package var name: String
    package var record: CredentialRecord
    /// `PasskeyTransports`.
    package let transports: Int64
    /// The user's epoch at the registration. A restore key is invalid once the epoch rises.
    package let epoch: Int64
    /// The time from which the passkey can be used, so that the user can object before.
    package let activeFrom: Int64
    package let createdAt: Int64
    package var lastUsedAt: Int64?

    package init(
        id: [UInt8], user: UserID, kind: PasskeyKind, name: String, record: CredentialRecord, transports: Int64,
        epoch: Int64, activeFrom: Int64, createdAt: Int64, lastUsedAt: Int64? = nil
    ) {
        (self.id, self.user, self.kind, self.name, self.record) = (id, user, kind, name, record)
        (self.transports, self.epoch, self.activeFrom) = (transports, epoch, activeFrom)
        (self.createdAt, self.lastUsedAt) = (createdAt, lastUsedAt)
    }

    /// The key of the row, which no other passkey has.
    package var key: [UInt8] { Self.key(ofCredential: record.id) }

    package static func key(ofCredential id: [UInt8]) -> [UInt8] { SHA256.hash(id) }

    /// The method of the sessions that the passkey opens, by which its removal revokes them.
    var method: String { PasskeyMethod.text(Hex.encode(id)) }

    /// Whether the passkey can sign its user in.
    func isValid(for user: User, _ now: Int64) -> Bool {
        activeFrom <= now && (kind == .passkey || epoch == user.epoch)
    }

    func details(_ now: Int64) -> OwnPasskey {
        let model = Hex.encode(record.aaguid)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { model.dropFirst($0.lowerBound).prefix($0.count) }
        return OwnPasskey(
            id: Hex.encode(id), name: name, kind: kind, createdAt: createdAt, lastUsedAt: lastUsedAt,
            activeFrom: activeFrom > now ? activeFrom : nil, backedUp: record.isBackedUp,
            transports: PasskeyTransports.names(transports), aaguid: parts.joined(separator: "-"),
            credentialID: Base64URL.encode(record.id), userHandle: Base64URL.encode(record.userHandle))
    }
}

/// A passkey and its verified assertion, which is compared with its row in the transaction that notes the use.
package struct ShownPasskey: Codable, Sendable, Equatable {
    /// See `StoredPasskey`.
    let key: [UInt8]
    let kind: PasskeyKind
    let assertion: VerifiedAssertion

    /// Whether the user was verified. A restore key's assertion never shows it, since Android uses it without the user's input.
    var isUserVerified: Bool { kind == .passkey && assertion.isUserVerified }

    /// The user's factors that it shows. A restore key shows no user, and counts for nothing else.
    var factors: AuthenticationFactors {
        kind == .restore ? .restore : isUserVerified ? [.pop, .user] : .pop
    }
}

/// The ways by which a client reaches an authenticator (L3 §5.8.4), each as a bit.
enum PasskeyTransports {
    private static let all = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"]

    /// Returns the bits of the known names.
    static func bits(_ names: [String]) -> Int64 {
        all.enumerated().reduce(0) { names.contains($1.element) ? $0 | 1 << Int64($1.offset) : $0 }
    }

    static func names(_ bits: Int64) -> [String] {
        all.enumerated().filter { bits >> Int64($0.offset) & 1 == 1 }.map(\.element)
    }
}
