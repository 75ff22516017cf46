import CryptoPrimitives
import InternalAPI

/// The secret in a mailed link: 255 random bits (security guide R-67), and one bit that is a hint for the link's page.
struct LinkSecret: Sendable {
    static let byteCount = 32

    /// The token in the link.
    let text: String
    /// The SHA-256 of the secret; nothing else of it is stored.
    let hash: [UInt8]

    /// Creates a secret.
    ///
    /// - Parameter suffices: whether the link needs no password.
    static func random(suffices: Bool) -> LinkSecret {
        LinkSecret(LinkHint.set(suffices: suffices, in: SecureRandom.bytes(byteCount)))
    }

    private init(_ bytes: [UInt8]) {
        text = Base64URL.encode(bytes)
        hash = SHA256.hash(bytes)
    }

    /// The hash of a link that also needs the verifier of a challenge, so that without it the link is unknown.
    ///
    /// - Parameter challenge: BASE64URL(SHA-256(verifier)); `nil` for a link that needs none.
    func hash(for challenge: String?) -> [UInt8] { challenge.map { SHA256.hash(hash + Array($0.utf8)) } ?? hash }

    /// Reads a link's token, or returns `nil` if the text does not have the form of one.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.byteCount else { return nil }
        self.init(bytes)
    }
}
