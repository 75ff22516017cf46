import CryptoPrimitives
import FoundationEssentials

/// Signs hooks by the Standard Webhooks specification, with every live secret (integration guide 1.5).
package struct WebhookSignature: Sendable {
    /// Why a secret cannot be used; contains nothing of the secret itself.
    package enum Problem: Error, Sendable, CustomStringConvertible {
        case malformed
        case tooManySecrets

        package var description: String {
            switch self {
            case .malformed: "must be v1,whsec_<base64 of 24 to 64 bytes>, several separated by |"
            case .tooManySecrets: "holds more than \(WebhookSignature.secretCountMax) secrets"
            }
        }
    }

    /// The maximum number of valid secrets: one, and its predecessors during a rotation.
    package static let secretCountMax = 4
    private static let secretBytes = 24...64

    private let secrets: [HMACSHA256]

    /// - Parameter text: A secret, `v1,whsec_<base64>`, or several separated by `|`, the newest first.
    package init(secrets text: String) throws(Problem) {
        var secrets: [HMACSHA256] = []
        for part in text.split(separator: "|", omittingEmptySubsequences: false) {
            secrets.append(HMACSHA256(key: try Self.secret(part)))
        }
        guard secrets.count <= Self.secretCountMax else { throw .tooManySecrets }
        self.secrets = secrets
    }

    /// The value of `webhook-signature`: one signature for each secret, separated by a space.
    ///
    /// - Parameter timestamp: Unix time in seconds, as in `webhook-timestamp`.
    package func header(id: String, timestamp: Int64, body: [UInt8]) -> String {
        let signed = Array("\(id).\(timestamp).".utf8) + body
        return secrets.map { secret in
            "v1," + Data(secret.authenticate(signed)).base64EncodedString()
        }.joined(separator: " ")
    }

    /// The maximum difference in seconds between a signature's time and ours.
    package static let toleranceSeconds: Int64 = 300

    /// Whether one of our secrets made a signature in `header`, and its time is near `now`.
    ///
    /// - Parameters:
    ///     - timestamp: Unix time in seconds, as received.
    ///     - header: The signatures as `v1,<base64>`, separated by spaces.
    package func isValid(id: String, timestamp: String, body: [UInt8], header: String, now: Int64) -> Bool {
        guard let time = Int64(timestamp), time >= 0, time <= now + Self.toleranceSeconds,
            now - time <= Self.toleranceSeconds
        else { return false }
        let expected = self.header(id: id, timestamp: time, body: body).split(separator: " ").map { Array($0.utf8) }
        let given = header.split(separator: " ").prefix(Self.secretCountMax * 2).map { Array($0.utf8) }
        return given.contains { signature in expected.contains { constantTimeEqual($0, signature) } }
    }

    private static func secret(_ text: Substring) throws(Problem) -> [UInt8] {
        let encoded = text.trimmingPrefix("v1,")
        guard encoded.hasPrefix("whsec_"), let data = Data(base64Encoded: String(encoded.dropFirst(6))),
            secretBytes.contains(data.count)
        else { throw .malformed }
        return Array(data)
    }
}
