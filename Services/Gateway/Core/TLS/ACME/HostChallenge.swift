import CryptoPrimitives
import EdgeHTTP
import Synchronization
import TLSPairs

/// The answer to an authority's challenge for one host (RFC 8555 section 8).
struct HostChallenge: Sendable, Equatable {
    private static let tokenBytesMax = 256

    let host: String
    let token: String
    /// The token and the thumbprint of the account's key.
    let authorization: String

    /// - Returns: `nil` if the token is not base64url.
    init?(host: String, token: String, key: ACMEAccountKey) {
        self.init(host: host, authorization: key.authorization(of: token))
        guard self.token == token else { return nil }
    }

    /// Reads a line of the folder's file.
    init?(line: Substring) {
        let parts = line.split(separator: " ")
        guard parts.count == 2 else { return nil }
        self.init(host: String(parts[0]), authorization: String(parts[1]))
    }

    private init?(host: String, authorization: String) {
        let parts = authorization.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, (1...Self.tokenBytesMax).contains(parts[0].utf8.count),
            parts.allSatisfy(ACMEAccountKey.isBase64URL)
        else { return nil }
        (self.host, token, self.authorization) = (host, parts[0], authorization)
    }

    var line: String { "\(host) \(authorization)\n" }

    /// Makes the certificate that answers over TLS (RFC 8737 section 3).
    func pair() throws -> TLSPair {
        let key = try NewTLSKey.pem()
        let digest = SHA256.hash(Array(authorization.utf8))
        let certificate = try NewCertificate.challenge(host: host, digest: digest).text(of: key)
        return try TLSPair(name: host, certificatePEM: certificate, keyPEM: key)
    }
}

/// The challenges that this gateway answers at the moment.
final class ChallengeBoard: Sendable {
    private let challenges = Mutex<[HostChallenge]>([])

    /// Returns what plain HTTP answers for a token (RFC 8555 section 8.3); `nil` if it is unknown.
    func answer(to token: String) -> String? {
        challenges.withLock { $0.first { $0.token == token }?.authorization }
    }

    /// Answers these challenges and no others, over plain HTTP and over TLS.
    func use(_ next: [HostChallenge], _ certificates: TLSCertificates) throws {
        guard challenges.withLock({ $0 != next }) else { return }
        try certificates.answerChallenges(with: next.map { try $0.pair() })
        challenges.withLock { $0 = next }
    }
}
