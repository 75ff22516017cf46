import CryptoPrimitives
import FoundationEssentials

/// SHA-256 of a public key with its algorithm (SubjectPublicKeyInfo, RFC 7469 section 2.4): what apps pin.
package struct SPKIPin: Sendable, Hashable, CustomStringConvertible {
    private let digest: [UInt8]

    /// - Parameter publicKey: in DER, as it stands in a certificate.
    init(publicKey: [UInt8]) { digest = SHA256.hash(publicKey) }

    /// Reads base64 with padding, in its one canonical spelling; nil for all else.
    package init?(_ text: String) {
        guard let bytes = Data(base64Encoded: text), bytes.count == SHA256.byteCount else { return nil }
        digest = Array(bytes)
        guard description == text else { return nil }
    }

    /// The pin of a private key, which may have no certificate yet.
    ///
    /// - Parameter ofKeyPEM: the text of a key file that is not encrypted.
    package init(ofKeyPEM text: [UInt8]) throws(TLSPairProblem) {
        let key = try LibcryptoPrivateKey(pem: text)
        self.init(publicKey: key.publicKey)
    }

    /// Base64 with padding, 44 characters.
    package var description: String { Data(digest).base64EncodedString() }
}
