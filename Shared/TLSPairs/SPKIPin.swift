import CryptoPrimitives
import FoundationEssentials

/// The SHA-256 of a public key with its algorithm (SubjectPublicKeyInfo, RFC 7469 section 2.4), which apps pin.
package struct SPKIPin: Sendable, Hashable, CustomStringConvertible {
    private let digest: [UInt8]

    /// - Parameter publicKey: The public key in DER, as in a certificate.
    init(publicKey: [UInt8]) { digest = SHA256.hash(publicKey) }

    /// Reads base64 with padding in its canonical spelling; returns `nil` for any other text.
    package init?(_ text: String) {
        guard let bytes = Data(base64Encoded: text), bytes.count == SHA256.byteCount else { return nil }
        digest = Array(bytes)
        guard description == text else { return nil }
    }

    /// Creates the pin of a private key, which may not have a certificate yet.
    ///
    /// - Parameter ofKeyPEM: The text of a key file that is not encrypted.
    package init(ofKeyPEM text: [UInt8]) throws(TLSPairProblem) {
        let key = try LibcryptoPrivateKey(pem: text)
        self.init(publicKey: key.publicKey)
    }

    /// Base64 with padding, 44 characters.
    package var description: String { Data(digest).base64EncodedString() }
}
