import Glibc

/// Random bytes and numbers from the kernel's generator.
///
/// Without randomness nothing here is safe, so a generator that fails ends the process (security guide F-63).
package enum SecureRandom {
    /// Bytes that one call brings, all of them or none (getentropy(3)).
    private static let callByteCountMax = 256

    /// `count` random bytes.
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        for start in stride(from: 0, to: count, by: callByteCountMax) {
            fill(&bytes, start..<min(start + callByteCountMax, count))
        }
        return bytes
    }

    /// A number in `0..<bound`, each equally likely.
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
