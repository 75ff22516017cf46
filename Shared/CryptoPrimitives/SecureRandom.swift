/// Random bytes and numbers from the kernel's generator.
///
/// Without randomness nothing here is safe, so a generator that fails ends the process (security guide F-63).
package enum SecureRandom {
    /// `count` random bytes.
    package static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            var word = generator.next()
            for _ in 0..<min(8, count - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return bytes
    }

    /// A number in `0..<bound`, each equally likely.
    package static func number(below bound: UInt64) -> UInt64 {
        bound > 1 ? UInt64.random(in: 0..<bound) : 0
    }
}
