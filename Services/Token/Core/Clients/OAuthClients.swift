import CryptoPrimitives
import ServiceKit

/// The confidential clients that may introspect and revoke tokens: `client_id secret` lines of the secret
/// `oauth_clients`. Without the file there are none, and every client is refused.
struct OAuthClients: Sendable {
    static let countMax = 64

    /// The hashes of the secrets by the id's bytes, because strings compare some different spellings as equal.
    private let hashes: [[UInt8]: [UInt8]]
    /// A hash to compare with if there is no such client, so that both cases take the same time.
    private let dummy = SHA256.hash(SecureRandom.bytes(32))

    /// - Throws: `SettingsError` for a secret that has two spellings in a form or in HTTP Basic (RFC 6749 section 2.3.1).
    init(_ ring: KeyRing?) throws(SettingsError) {
        let clients = ring?.all ?? []
        guard clients.allSatisfy({ $0.secret.allSatisfy(Self.isUnreserved) }) else {
            throw SettingsError(
                "secret oauth_clients",
                "a secret contains other characters than A-Z a-z 0-9 . _ ~ -. Make a new one of these.")
        }
        hashes = Dictionary(clients.map { (Array($0.id.utf8), SHA256.hash($0.secret)) }) { first, _ in first }
    }

    /// Whether the secret is the client's.
    func accepts(id: String, secret: String) -> Bool {
        let known = hashes[Array(id.utf8)]
        let isEqual = constantTimeEqual(SHA256.hash(Array(secret.utf8)), known ?? dummy)
        return isEqual && known != nil
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
