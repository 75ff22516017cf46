package import AccessTokens
import CryptoPrimitives

/// The cost of one signature and its verification on this machine.
package struct SignatureCost: Sendable {
    /// The size of the signing input of an access token of the `howru` policy.
    static let messageBytes = 420
    /// CPU time of one round; some thousand times the resolution of the clock.
    private static let roundMicroseconds = 150_000.0
    private static let batch = 20

    package let algorithm: SignatureAlgorithm
    private let key: SigningKey
    private let message = SecureRandom.bytes(messageBytes)

    package init(_ algorithm: SignatureAlgorithm) throws {
        self.algorithm = algorithm
        key = try SigningKey.generate(keyID: "bench", algorithm: algorithm)
    }

    /// CPU µs of one signature in each of so many rounds.
    package func signing(rounds: Int) throws -> [Double] {
        try (0..<rounds).map { _ in try Self.round { _ = try key.sign(message) } }
    }

    /// CPU µs of one verification in each of so many rounds.
    package func verifying(rounds: Int) throws -> [Double] {
        let signature = try key.sign(message)
        return try (0..<rounds).map { _ in
            try Self.round {
                guard key.verificationKey.isValid(signature: signature, for: message) else { throw WrongSignature() }
            }
        }
    }

    private static func round(_ operation: () throws -> Void) rethrows -> Double {
        var count = 0
        let start = Machine.ownMicroseconds
        while true {
            for _ in 0..<batch { try operation() }
            count += batch
            let used = Machine.ownMicroseconds - start
            if used >= roundMicroseconds { return used / Double(count) }
        }
    }

    /// A signature of ours that we do not accept ourselves: nothing measured here means anything.
    private struct WrongSignature: Error {}
}
