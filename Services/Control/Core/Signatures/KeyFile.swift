internal import AccessTokens

/// A JWK in a file, as `--jwk` names it.
enum KeyFile {
    /// How a key's algorithm is found, for `--help`.
    static let help = """
        FILE holds one JWK, public or private, at most \(JSONWebKey.textBytesMax) bytes. A key has one algorithm, which its \
        type decides: RSA (2048 to 8192 bits) RS256, EC with P-256 ES256, OKP with Ed25519 EdDSA, oct (32 bytes or more) \
        HS256. An alg in the JWK must be that one, use must be sig and key_ops must allow verifying, as far as they are \
        there; of a private key only the public half is read; kid is not looked at.
        """

    /// The key in the file at `path`.
    ///
    /// - Throws: `CommandFailure` with the one thing that is wrong.
    static func read(_ path: String) throws -> VerificationKey {
        let text = try FileBytes.contents(of: path, bytesMax: JSONWebKey.textBytesMax)
        do throws(KeyError) {
            return try VerificationKey(jwkText: text)
        } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
    }
}
