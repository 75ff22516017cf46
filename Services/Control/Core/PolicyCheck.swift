import ArgumentParser
import Configuration
import FoundationEssentials
import GatewayCore
import Logging
import OTPCore
import Policies
import ServiceKit
import SettingNames
import UserCore

/// `latchkeyctl policy check [NAME|FILE]`
struct PolicyCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a policy as the processes do, and lists everything that is wrong with it.",
        discussion: """
            Exits with 0 if the processes would start with the policy and the variables of this environment, otherwise with 1 \
            and a line for each problem: file, line, key, and what to use instead. What only production refuses is a warning \
            elsewhere. Names are looked up in LATCHKEY_POLICIES_DIR (deploy/policies).
            """)

    @Argument(help: "A name, or a file (with a slash, or ending in .yaml); default $LATCHKEY_POLICY, or starter.")
    var policy: String?

    @Option(help: "Where it will be used: \(Self.environments); default $LATCHKEY_ENV, or development.")
    var environment: DeploymentEnvironment?

    @Option(help: "Also shows how long the limits take to let so many users sign in once, as after a move.")
    var users: Int64?

    private static var environments: String { DeploymentEnvironment.allCases.map(\.rawValue).joined(separator: ", ") }

    func validate() throws {
        guard let users, !SignInForecast.usersAllowed.contains(users) else { return }
        throw ValidationError("--users is a number from 1 to \(SignInForecast.usersAllowed.upperBound)")
    }

    func run() async throws {
        let variables = ProcessInfo.processInfo.environment
        let report = try Self.check(policy, in: environment, variables: variables)
        // The verdict comes last, since some operators read only the last line.
        for path in report.paths + report.files { print(path) }
        for warning in report.warnings { print("warning: \(warning)") }
        if let users { print(SignInForecast(of: try Self.policy(policy, variables: variables), users: users).text) }
        print(report.verdict)
    }

    /// The output about a policy with which the processes would start.
    struct Report: Equatable {
        let verdict: String
        /// Lines with method, path, dialect, and the host that distinguishes the dialect from others at the same path.
        let paths: [String]
        let warnings: [String]
        /// Files that another host than the gateway's has to serve.
        var files: [String] = []
    }

    /// - Throws: `CommandFailure` with all findings, one on a line.
    static func check(
        _ named: String?, in environment: DeploymentEnvironment?, variables: [String: String]
    ) throws -> Report {
        let environment = try environment ?? self.environment(in: variables)
        let policy = try policy(named, variables: variables)
        let problems = problems(of: policy, in: environment, variables: variables)
        guard problems.isEmpty else { throw CommandFailure(description: problems.joined(separator: "\n")) }
        let inProduction = self.problems(of: policy, in: .production, variables: variables)
        let context = try context(of: policy, in: environment, variables: variables)
        return try Report(
            verdict: "\(policy.name): ok", paths: PathListing(of: policy).paths.map(line),
            warnings: UnknownVariable.all(in: variables.keys).map(\.description) + inProduction
                + policy.cautions(in: environment)
                + OTPService.cautions(context),
            files: PasskeyFiles.elsewhere(of: policy, publicURL: context.publicURL()).map {
                "\($0.url) must be: \($0.contents)"
            })
    }

    /// The checks that can stop a process at its start; each process runs the same ones.
    private static let checks: [@Sendable (ProcessContext) throws -> Void] = [
        Gateway.check, OTPService.check, UserService.check,
    ]

    /// Returns the problems that stop the start of a process with this policy, each once.
    private static func problems(
        of policy: Policy, in environment: DeploymentEnvironment, variables: [String: String]
    ) -> [String] {
        var problems = policy.problems(in: environment)
        do {
            let context = try context(of: policy, in: environment, variables: variables)
            for check in checks { do { try check(context) } catch { problems += lines(of: error) } }
        } catch {
            problems += lines(of: error)
        }
        var known: Set<String> = []
        return problems.filter { known.insert($0).inserted }
    }

    private static func lines(of error: any Error) -> [String] { "\(error)".split(separator: "\n").map(String.init) }

    /// Creates the context of a process with this policy, the environment and the variables.
    private static func context(
        of policy: Policy, in environment: DeploymentEnvironment, variables: [String: String]
    ) throws -> ProcessContext {
        var variables = variables
        variables["LATCHKEY_ENV"] = environment.rawValue
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        let settings = try ProcessSettings(
            name: "policy check", defaultPort: 0, reader: reader, mayListenNowhere: true)
        return ProcessContext(
            settings: settings, policy: policy,
            logger: Logger(label: settings.name) { _ in SwiftLogNoOpLogHandler() })
    }

    /// Reads the policy that a name, a file or the environment specifies.
    ///
    /// - Throws: `CommandFailure` with all findings, one on a line.
    static func policy(_ named: String?, variables: [String: String]) throws -> Policy {
        func text(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        do throws(PolicyError) {
            return try Policy.load(
                named: named.map(asPath) ?? text("LATCHKEY_POLICY") ?? Policy.defaultName,
                directory: text("LATCHKEY_POLICIES_DIR") ?? Settings.all["LATCHKEY_POLICIES_DIR"].standard ?? "",
                appName: variables["LATCHKEY_APP_NAME"])
        } catch {
            throw CommandFailure(description: error.description)
        }
    }

    private static func line(_ path: PathListing.Path) -> String {
        let host = path.host.map { " (\($0))" } ?? ""
        return "\(path.method) \(path.path): \(path.dialect)\(host)"
    }

    private static func environment(in variables: [String: String]) throws -> DeploymentEnvironment {
        guard let text = variables["LATCHKEY_ENV"], !text.isEmpty else { return .development }
        guard let environment = DeploymentEnvironment(rawValue: text) else {
            throw CommandFailure(description: "LATCHKEY_ENV: \"\(text)\" is not a valid value. Use \(environments).")
        }
        return environment
    }

    /// Reads `mine.yaml` as the file here, as every other command does, not as a name with that ending.
    private static func asPath(_ named: String) -> String {
        named.hasSuffix(".yaml") && !named.contains("/") ? "./" + named : named
    }
}

extension DeploymentEnvironment: ExpressibleByArgument {}
