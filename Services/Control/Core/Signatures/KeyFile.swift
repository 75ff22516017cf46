import AccessTokens

/// A JWK in the file that `--jwk` specifies.
///
/// A bad key does not stop the command: it is the reason why every line is refused, so that each line gets its result.
struct KeyFile {
    /// The reason why a key is refused, as the result of every line; the names never change.
    enum Refusal: String, CaseIterable {
        case malformedKey, unsupportedKey, weakKey, wrongKeyType

        init(_ error: KeyError) {
            self =
                switch error {
                case .weakKey: .weakKey
                case .unsupportedKey: .unsupportedKey
                case .wrongKeyType: .wrongKeyType
                default: .malformedKey
                }
        }

        var meaning: String {
            switch self {
            case .malformedKey: "FILE is no strict JSON object, or its numbers are no key"
            case .unsupportedKey: "the key's kty, crv, alg, use or key_ops is not one of ours"
            case .weakKey: "too short, of small order, of a broken generator, or a public key as a secret"
            case .wrongKeyType: "the key is not for the algorithm of --alg"
            }
        }
    }

    /// The rule by which a key's algorithm is found, for `--help`.
    static let help = """
        FILE holds one JWK, public or private, at most \(JSONWebKey.textBytesMax) bytes. A key has one algorithm, which its \
        type decides: RSA (2048 to 8192 bits) RS256, EC with P-256 ES256, OKP with Ed25519 EdDSA, oct (32 bytes or more) \
        HS256. An alg in the JWK must be that one, use must be sig and key_ops must allow verifying, as far as they are \
        there; of a private key only the public half is read; kid is not looked at. With a bad key every line is refused, \
        and the command ends with status 1:
        \(Refusal.allCases.map { "  \($0.rawValue): \($0.meaning)" }.joined(separator: "\n"))
        """

    private let path: String
    private let key: Result<VerificationKey, KeyError>

    /// Reads the file at `path`.
    ///
    /// - Parameter algorithm: The algorithm that the key must have; `nil` for any.
    /// - Throws: `CommandFailure` if the file cannot be read.
    init(_ path: String, for algorithm: SignatureAlgorithm? = nil) throws {
        let text = try FileBytes.contents(of: path, bytesMax: JSONWebKey.textBytesMax)
        self.path = path
        key = Result { () throws(KeyError) in try Self.key(text, for: algorithm) }
    }

    private static func key(
        _ text: [UInt8], for algorithm: SignatureAlgorithm?
    ) throws(KeyError) -> VerificationKey {
        let key = try VerificationKey(jwkText: text)
        if let algorithm, key.algorithm != algorithm { throw .wrongKeyType(algorithm) }
        return key
    }

    /// Returns the result of `judge` with the key, or the refusal if the key is bad.
    func answer(by judge: (VerificationKey) -> String) -> String {
        switch key {
        case .success(let key): judge(key)
        case .failure(let error): "refused: \(Refusal(error).rawValue)"
        }
    }

    /// Returns the key.
    ///
    /// - Throws: `CommandFailure` with the problem of the key.
    @discardableResult func usableKey() throws -> VerificationKey {
        do {
            return try key.get()
        } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
    }
}
