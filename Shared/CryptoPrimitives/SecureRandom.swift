import Glibc

/// Random bytes and numbers from the kernel's generator.
///
/// Nothing here is safe without randomness, so a failing generator terminates the process (security guide F-63).
package enum SecureRandom {
    /// The maximum number of bytes of one call, which returns all or none (getentropy(3)).
    private static let callByteCountMax = 256

    /// Returns `count` random bytes.
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        for start in stride(from: 0, to: count, by: callByteCountMax) {
            fill(&bytes, start..<min(start + callByteCountMax, count))
        }
        return bytes
    }

    /// Returns a number in `0..<bound`, each equally likely.
    package static func number(below bound: UInt64) -> UInt64 {
        bound > 1 ? UInt64.random(in: 0..<bound) : 0
    }

    private static func fill(_ bytes: inout [UInt8], _ range: Range<Int>) {
        let result = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe getentropy(UnsafeMutableRawBufferPointer(rebasing: bytes[range]).baseAddress, range.count)
        }
        guard result == 0 else { fatalError("the kernel has no randomness") }
    }
}
