import FoundationEssentials

/// A certificate that a `TestAuthority` issued, with its key.
package struct TestCertificate: Sendable {
    /// The chain (PEM), its own first.
    package let certificate: String
    /// The private key (PEM), mode 0600.
    package let key: String
    /// SHA-256 of the public key (SPKI), base64, as `openssl` counts it: what apps pin.
    package let pin: String

    /// The contents of a certificate.
    package struct Request: Sendable {
        /// The kind of name that it certifies.
        package enum Kind: String, Sendable {
            case server
            case authority
        }

        /// Kinds of keys; `rsa1024` and `p224` are too weak.
        package enum Key: Sendable {
            case p256
            case p384
            case rsa2048
            case rsa1024
            case p224
            case p521
            case secp256k1
            case ed25519

            fileprivate var options: String {
                switch self {
                case .p256: "-algorithm EC -pkeyopt ec_paramgen_curve:P-256"
                case .p384: "-algorithm EC -pkeyopt ec_paramgen_curve:P-384"
                case .rsa2048: "-algorithm RSA -pkeyopt rsa_keygen_bits:2048"
                case .rsa1024: "-algorithm RSA -pkeyopt rsa_keygen_bits:1024"
                case .p224: "-algorithm EC -pkeyopt ec_paramgen_curve:P-224"
                case .p521: "-algorithm EC -pkeyopt ec_paramgen_curve:P-521"
                case .secp256k1: "-algorithm EC -pkeyopt ec_paramgen_curve:secp256k1"
                case .ed25519: "-algorithm ED25519"
                }
            }
        }

        /// Host names and IP addresses; `*.name` too.
        package var names: [String]
        package var key: Key
        /// From now; negative: it has ended.
        package var lifetimeSeconds: Int
        /// From now; positive: it has not begun.
        package var beginsAfterSeconds: Int
        /// The digest of the signature: `sha256`, or `sha1`, which is too weak.
        package var digest: String
        package var kind: Kind

        package init(
            names: [String] = ["localhost", "127.0.0.1"], key: Key = .p256, lifetimeSeconds: Int = 30 * 86_400,
            beginsAfterSeconds: Int = -3600, digest: String = "sha256", kind: Kind = .server
        ) {
            self.names = names
            self.key = key
            self.lifetimeSeconds = lifetimeSeconds
            self.beginsAfterSeconds = beginsAfterSeconds
            self.digest = digest
            self.kind = kind
        }

        /// One that ended a minute ago.
        package static var expired: Request { Request(lifetimeSeconds: -60) }

        /// One for another host.
        package static var otherName: Request { Request(names: ["other.example"]) }

        var environment: [String: String] {
            [
                "SUBJECT_NAMES": names.map { Self.isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ","),
                "KEY_OPTIONS": key.options, "NOT_BEFORE": "\(beginsAfterSeconds)", "NOT_AFTER": "\(lifetimeSeconds)",
                "DIGEST": digest, "KIND": kind.rawValue,
            ]
        }

        private static func isAddress(_ name: String) -> Bool {
            name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." }
        }
    }

    static func read(_ name: String, in folder: String) async throws -> TestCertificate {
        let key = "\(folder)/\(name).key"
        return TestCertificate(certificate: "\(folder)/\(name).crt", key: key, pin: try await pin(of: key))
    }

    /// SHA-256 of a key file's public key (SPKI), base64, as `openssl` counts it.
    package static func pin(of key: String) async throws -> String {
        let count = """
            set -o pipefail
            openssl pkey -in "$KEY" -pubout -outform der | openssl dgst -sha256 -binary | base64
            """
        let outcome = try await Shell.run(count, in: "/", environment: ["KEY": key])
        guard outcome.isSuccess else { throw TestAuthority.Failure(description: outcome.output) }
        return String(outcome.output.filter { !$0.isWhitespace })
    }

    /// Puts the pair into a folder of certificates as one does by hand: key and chain, each replaced whole.
    package func place(in directory: String, as name: String) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (file, end) in [(key, "key"), (certificate, "crt")] {
            let place = URL(filePath: "\(directory)/\(name).\(end)")
            try Data(contentsOf: URL(filePath: file)).write(to: place, options: .atomic)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(directory)/\(name).key")
    }
}
