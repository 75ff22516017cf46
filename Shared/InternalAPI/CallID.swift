internal import CryptoPrimitives

/// Names one call between our processes, so that its repeat is known and carried out once.
///
/// Unlike the request's id it is never shown: who could guess it could have another's call taken for a repeat.
package enum CallID {
    private static let byteCount = 16

    /// A new one from the system's random source: 32 hexadecimal digits.
    package static func random() -> String { Hex.encode(SecureRandom.bytes(byteCount)) }
}
