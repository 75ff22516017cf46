/// The cost of making or checking a hash: Argon2id with one lane (RFC 9106 §3.1).
package struct PasswordCost: Sendable, Equatable {
    /// The KiB of memory that a policy may set; the least is OWASP's.
    package static let memoryRange = 19_456...262_144
    package static let iterationsRange = 2...10

    /// The KiB that one hash fills while it is made.
    package let memoryKiB: Int
    package let iterations: Int

    /// - Returns: `nil` if no policy may set this cost.
    package init?(memoryKiB: Int, iterations: Int) {
        guard Self.memoryRange.contains(memoryKiB), Self.iterationsRange.contains(iterations) else { return nil }
        self.init(unchecked: memoryKiB, iterations)
    }

    private init(unchecked memoryKiB: Int, _ iterations: Int) {
        self.memoryKiB = memoryKiB
        self.iterations = iterations
    }

    /// OWASP's least: 19 MiB and two iterations.
    package static let standard = PasswordCost(unchecked: memoryRange.lowerBound, iterationsRange.lowerBound)
}

extension PasswordCost {
    /// Section `argon2id`:
    /// - `memoryKiB` integer, 19,456...262,144, default 19,456
    /// - `iterations` integer, 2...10, default 2
    init(reading section: PolicySection) {
        var (memory, iterations) = (Self.memoryRange.lowerBound, Self.iterationsRange.lowerBound)
        section.integer("memoryKiB", in: Self.memoryRange, into: &memory)
        section.integer("iterations", in: Self.iterationsRange, into: &iterations)
        self.init(unchecked: memory, iterations)
    }
}
