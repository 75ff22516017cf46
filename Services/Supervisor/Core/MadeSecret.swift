import CryptoPrimitives
import FoundationEssentials

/// A secret that is made at random, and the form of its file.
package struct MadeSecret: Sendable, Equatable {
    package enum Form: Sendable, Equatable {
        /// A line `kid secret`.
        case keyRing
        /// One line.
        case password
        /// A secret of Standard Webhooks.
        case webhook
    }

    package let name: String
    package let form: Form

    /// The number of random bytes in each secret.
    static let randomBytes = 32

    /// Returns the text of the file.
    ///
    /// - Parameter random: Returns the given number of random bytes.
    func text(_ random: (Int) -> [UInt8]) -> String {
        let bytes = random(Self.randomBytes)
        return switch form {
        case .keyRing: "k1 \(Hex.encode(bytes))\n"
        case .password: "\(Hex.encode(bytes))\n"
        case .webhook: "v1,whsec_\(Data(bytes).base64EncodedString())\n"
        }
    }
}
