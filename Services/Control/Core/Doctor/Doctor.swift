import Configuration
import FoundationEssentials
import GatewayCore
import InternalAPI
import Logging
import OTPCore
import Policies
import RedisClient
import ServiceKit
import SettingNames
import TokenCore
import UserCore

/// Checks what one process uses. Each check asks once and with a limit of its own; what it finds is judged by a function without I/O.
struct Doctor: Sendable {
    static let processes: [Caller] = [.gateway, .otp, .token, .user]

    let process: Caller
    let variables: [String: String]
    private let warnings = CollectedWarnings()

    init(process: Caller, variables: [String: String]) { (self.process, self.variables) = (process, variables) }

    /// Returns all lines. If policy or settings cannot be read, nothing else can be found out.
    func findings() async -> [Finding] {
        let context: ProcessContext
        do { context = try self.context() } catch { return Finding.faults("settings", error) }
        var findings = settings(context)
        findings += await DoctorRedis(context: context, library: library).findings()
        if process == .token || process == .user {
            findings += await DoctorDatabase(process: process, context: context, warnings: warnings).findings()
        }
        findings += DoctorCertificates(context: context).findings(of: process)
        return findings + (await DoctorReach(process: process, context: context).findings())
    }

    /// Returns what policy, variables and secrets say, without asking anything that runs.
    func settingsFindings() -> [Finding] {
        do { return settings(try context()) } catch { return Finding.faults("settings", error) }
    }

    /// Returns the context as the process itself makes it.
    private func context() throws -> ProcessContext {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        let policy = try PolicyCheck.policy(nil, variables: variables)
        let settings = try ProcessSettings(
            name: process.rawValue, defaultPort: 0, reader: reader, mayListenNowhere: process == .gateway)
        try SettingsReport.requireNone(policy.problems(in: settings.environment))
        return ProcessContext(
            settings: settings, policy: policy, logger: Logger(label: process.rawValue) { _ in warnings.handler })
    }

    private func settings(_ context: ProcessContext) -> [Finding] {
        let unknown = UnknownVariable.all(in: variables.keys).map { Finding.warning("settings", $0.description) }
        let cautions = context.policy.cautions(in: context.settings.environment).map { Finding.warning("policy", $0) }
        do { try requireSettings(context) } catch { return Finding.faults("settings", error) + unknown + cautions }
        let text = "policy \(context.policy.name), variables and secrets for \(context.settings.environment.rawValue)"
        return [.ok("settings", text)] + unknown + cautions
    }

    /// Refuses what keeps the process from starting.
    private func requireSettings(_ context: ProcessContext) throws {
        switch process {
        case .gateway: try Gateway.requireSettings(context)
        case .otp: try OTPService.requireSettings(context)
        case .token: try TokenService.requireSettings(context, DoctorDatabase.tokenSource)
        case .user: try UserService.requireSettings(context, DoctorDatabase.userSource)
        case .control: break
        }
    }

    /// The functions that the process calls in Redis.
    private var library: RedisLibrary {
        switch process {
        case .otp: CodeFunctions.library
        case .token: TokenFunctions.library
        case .user: GuessFunctions.library
        case .gateway, .control: GatewayFunctions.library
        }
    }
}
