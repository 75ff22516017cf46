internal import ArgumentParser
internal import FoundationEssentials
internal import Policies

/// `latchkeyctl policy check [NAME|PATH]`
struct PolicyCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Reads a policy as the processes do and says all that is wrong with it.",
        discussion: "Policies are looked up by name in LATCHKEY_POLICIES_DIR (deploy/policies).")

    @Argument(help: "A name, or a path with a slash; default $LATCHKEY_POLICY, or howru.")
    var policy: String?

    @Option(help: "Where it is to be used: \(DeploymentEnvironment.allCases.map(\.rawValue).joined(separator: ", ")).")
    var environment = DeploymentEnvironment.development

    func run() async throws {
        print(try Self.check(policy, in: environment, variables: ProcessInfo.processInfo.environment))
    }

    /// The line to print.
    ///
    /// - Throws: `CommandFailure` with all findings, one a line.
    static func check(
        _ named: String?, in environment: DeploymentEnvironment, variables: [String: String]
    ) throws -> String {
        let named = named ?? variables["LATCHKEY_POLICY"] ?? "howru"
        let policy: Policy
        do throws(PolicyError) {
            policy = try Policy.load(named: named, directory: variables["LATCHKEY_POLICIES_DIR"] ?? "deploy/policies")
        } catch {
            throw CommandFailure(description: error.description)
        }
        let problems = policy.problems(in: environment)
        guard problems.isEmpty else { throw CommandFailure(description: problems.joined(separator: "\n")) }
        return "\(policy.name): ok"
    }
}

extension DeploymentEnvironment: ExpressibleByArgument {}
