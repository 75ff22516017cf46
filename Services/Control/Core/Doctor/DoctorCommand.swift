import ArgumentParser
import FoundationEssentials
import InternalAPI

/// `latchkeyctl doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks everything that a process uses, before its first start too, and says what to fix.",
        discussion: """
            Run it where the process runs, with its variables and secrets: `docker compose run --rm --no-deps otp latchkeyctl \
            doctor`, or deploy/doctor for all four. It changes nothing and sends no message. Each line is ok, warning or fault. \
            The command exits with 1 if one is a fault.
            """)

    @Option(help: "Which process: gateway, otp, token or user; default $REDIS_USER, which is its account at Redis.")
    var process: Caller?

    @Flag(help: "As JSON.")
    var json = false

    /// The result as JSON.
    private struct Report: Encodable {
        let process: String
        let isHealthy: Bool
        let findings: [Finding]
    }

    func run() async throws {
        let variables = ProcessInfo.processInfo.environment
        let process = try Self.process(process, variables: variables)
        let findings = await Doctor(process: process, variables: variables).findings()
        let isHealthy = !findings.contains { $0.level == .fault }
        if json {
            print(
                try JSONOutput.text(Report(process: process.rawValue, isHealthy: isHealthy, findings: findings)))
        } else {
            print(TextTable.text(findings.map { [$0.level.rawValue, process.rawValue, $0.name, $0.text] }))
        }
        if !isHealthy { throw ExitCode.failure }
    }

    static func process(_ named: Caller?, variables: [String: String]) throws -> Caller {
        let found = named ?? variables["REDIS_USER"].flatMap(Caller.init)
        guard let found, Doctor.processes.contains(found) else {
            throw ValidationError("use --process gateway, otp, token or user")
        }
        return found
    }
}

extension Caller: ExpressibleByArgument {}
