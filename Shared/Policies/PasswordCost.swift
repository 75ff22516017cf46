/// The cost of making or checking a hash: Argon2id with one lane (RFC 9106 §3.1).
package struct PasswordCost: Sendable, Equatable {
    /// The KiB of memory that a policy may set; the least is OWASP's.
    package static let memoryRange = 19_456...262_144
    package static let iterationsRange = 2...10

    /// The KiB that one hash fills while it is made.
    package internal(set) var memoryKiB: Int
    package internal(set) var iterations: Int

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
    static let keys: [Key<Self>] = [
        Key("memoryKiB", \.memoryKiB, .integer(memoryRange), "The KiB that one hash fills while it is made."),
        Key("iterations", \.iterations, .integer(iterationsRange), "The number of passes over it."),
    ]
}
