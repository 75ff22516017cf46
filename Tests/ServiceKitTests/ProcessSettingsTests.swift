import Configuration
import Policies
import Testing

@testable import ServiceKit

@Suite struct ProcessSettingsTests {
    private func settings(_ variables: [String: String]) throws -> ProcessSettings {
        try ProcessSettings(
            name: "otp", defaultPort: 8081,
            reader: ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables)))
    }

    @Test func `all wrong settings are named at once`() {
        let error = #expect(throws: SettingsError.self) {
            try settings([
                "LATCHKEY_ENV": "prod", "LATCHKEY_LISTEN": "8081", "LATCHKEY_LOG_LEVEL": "warn",
                "LATCHKEY_LIMIT_LOCAL": "yes", "LATCHKEY_OPS_LISTEN": "0.0.0.0:99999",
            ])
        }
        #expect(
            error?.lines == [
                "LATCHKEY_ENV: \"prod\" is not a valid value. Use development, uat or production.",
                "LATCHKEY_LISTEN: \"8081\" is not a valid value. Use host:port, for example 127.0.0.1:8081.",
                "LATCHKEY_OPS_LISTEN: \"0.0.0.0:99999\" is not a valid value. Use host:port, for example 127.0.0.1:9090, several separated by commas.",
                "LATCHKEY_LIMIT_LOCAL: \"yes\" is not a valid value. Use 1 for yes, or 0 for no.",
                "LATCHKEY_LOG_LEVEL: \"warn\" is not a valid value. Use trace, debug, info, notice, warning, error or critical.",
            ])
    }

    @Test func `an empty variable counts as unset`() throws {
        let names = [
            "LATCHKEY_ENV", "LATCHKEY_LISTEN", "LATCHKEY_LOG_LEVEL", "LATCHKEY_LIMIT_LOCAL", "LATCHKEY_POLICY",
        ]
        let settings = try settings(Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
        #expect(settings.environment == .development && settings.listen.port == 8081)
        #expect(settings.policyName == Policy.defaultName && !settings.limitsLocalAddresses)
    }

    @Test func `checks report each line once, and stop at an error that is no setting's`() {
        struct DiskFull: Error {}
        let wrong = { throw SettingsError("A", "is wrong") }
        let error = #expect(throws: SettingsError.self) {
            try SettingsReport.requireAll([wrong, wrong, { throw SettingsError("B", "too") }, {}])
        }
        #expect(error?.lines == ["A: is wrong", "B: too"])
        #expect(throws: DiskFull.self) { try SettingsReport.requireAll([wrong, { throw DiskFull() }]) }
    }

    @Test(arguments: ["--help", "-h"])
    func `help lists the settings, and an unknown option is refused`(option: String) {
        let help = ProcessArguments(["/bin/otp-service", option], name: "otp", summary: "Summary.")
        guard case .show(let text) = help else { return #expect(Bool(false)) }
        #expect(text.contains("usage: otp-service") && text.contains("SMTP_HOST") && text.contains("LATCHKEY_ENV"))
        let wrong = ProcessArguments(["/bin/otp-service", "--port"], name: "otp", summary: "Summary.")
        guard case .refuse(let line) = wrong else { return #expect(Bool(false)) }
        #expect(line.contains("\"--port\" is not an option") && line.contains("--help"))
        #expect(ProcessArguments(["/bin/otp-service"], name: "otp", summary: "Summary.") == .run)
    }
}
