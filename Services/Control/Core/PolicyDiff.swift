import ArgumentParser
import FoundationEssentials
import Policies

/// `latchkeyctl policy diff A B`
struct PolicyDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Lists the keys in which two policies differ, with both values.",
        discussion: """
            Compares what the processes would use, defaults included. Codes are hidden. Exits with 0 if the policies are \
            equal, otherwise with 1. Names are looked up in LATCHKEY_POLICIES_DIR (deploy/policies).
            """)

    @Argument(help: "A name, or a file (with a slash, or ending in .yaml).")
    var one: String

    @Argument(help: "The other one.")
    var other: String

    func run() throws {
        let lines = try Self.lines(one, other, variables: ProcessInfo.processInfo.environment)
        for line in lines { print(line) }
        if !lines.isEmpty { throw ExitCode.failure }
    }

    /// The keys with different values, in the order of a policy; `none` is the value of a key that one of them lacks.
    ///
    /// - Throws: `CommandFailure` with everything that is wrong with one of the policies.
    static func lines(_ one: String, _ other: String, variables: [String: String]) throws -> [String] {
        let policies = try [one, other].map { try PolicyCheck.policy($0, variables: variables) }
        return policies[0].differences(to: policies[1]).map { "\($0.keyPath): \(shown($0.old)) → \(shown($0.new))" }
    }

    private static func shown(_ value: StatedValue?) -> String {
        value?.isSecret == true ? "(hidden)" : value?.text ?? "none"
    }
}
