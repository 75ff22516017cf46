import FoundationEssentials

/// How long a run of faults is, and the seed that repeats it: short in the suite, long by `deploy/faults`.
package struct FaultRun: Sendable {
    /// `LATCHKEY_FAULT_ROUNDS`, else what the suite has time for.
    package let rounds: Int
    /// `LATCHKEY_FAULT_SEED`, else a random one.
    package let seed: UInt64
    private let name: String

    /// Whether `deploy/faults` runs, and not the suite.
    package static var isLong: Bool { ProcessInfo.processInfo.environment["LATCHKEY_FAULT_ROUNDS"] != nil }

    /// Reads the environment and prints what repeats this run.
    package init(_ name: String, shortRounds: Int) {
        let variables = ProcessInfo.processInfo.environment
        self.name = name
        rounds = variables["LATCHKEY_FAULT_ROUNDS"].flatMap(Int.init) ?? shortRounds
        seed = variables["LATCHKEY_FAULT_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<1_000_000)
        print("\(name): \(rounds) rounds, LATCHKEY_FAULT_SEED=\(seed)")
    }

    /// Prints what came of it.
    package func report(_ text: String) { print("\(name): \(text)") }
}
