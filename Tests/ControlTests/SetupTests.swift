import Foundation
import Policies
import Testing

@testable import ControlCore

/// `latchkeyctl setup`: what it writes, and what it finds.
@Suite struct SetupTests {
    private static let shipped =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/deploy/policies"

    /// Runs `body` with a folder that has the package's policies.
    private func withFolder(_ body: (SetupFiles) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try FileManager.default.copyItem(atPath: Self.shipped, toPath: folder + "/policies")
        try body(SetupFiles(folder: folder))
    }

    private func answers(
        _ environment: DeploymentEnvironment = .production, appName: String = "My App",
        sender: String = "webhook", others: [String] = ["SMS_HOOK_URL=https://hooks.example.com/sms"]
    ) throws -> SetupAnswers {
        let isOwn = environment != .development
        return try SetupAnswers(
            environment: environment, appName: appName, publicURL: isOwn ? "https://auth.example.com" : nil,
            upstream: isOwn ? "http://127.0.0.1:3000" : nil, sender: isOwn ? sender : nil, others: isOwn ? others : [])
    }

    private func faults(_ files: SetupFiles, _ answers: SetupAnswers) -> [String] {
        let check = SetupCheck(files: files, settings: answers.settings(policies: files.policies))
        return check.findings().filter { $0.level == .fault }.map(\.text)
    }

    @Test(arguments: [DeploymentEnvironment.development, .production])
    func `every process would start with what it writes`(environment: DeploymentEnvironment) throws {
        try withFolder { files in
            let answers = try answers(environment)
            let own = environment == .production ? [files.policies + "/mine.yaml"] : []
            #expect(try files.write(answers) == own + [files.folder + "/redis.conf", files.settings])
            let secrets = try files.makeSecrets()
            #expect(secrets.contains("redis_acl") && secrets.contains("token_storage_key"))
            #expect(faults(files, answers) == [])
            #expect(try files.keptSettings() == answers.settings(policies: files.policies))
        }
    }

    @Test func `the operator's own policy has the answers in place of the examples`() throws {
        try withFolder { files in
            _ = try files.write(try answers())
            let policy = try Policy.load(named: "mine", directory: files.policies, appName: nil)
            #expect(policy.issuer == "https://auth.example.com" && policy.audience == "auth.example.com")
            #expect(policy.problems(in: .production) == [])
        }
    }

    @Test func `a second run keeps every file, and makes only missing secrets`() throws {
        try withFolder { files in
            _ = try files.write(try answers())
            _ = try files.makeSecrets()
            #expect(try files.write(try answers(appName: "Other")) == [])
            #expect(try files.makeSecrets() == [])
            try FileManager.default.removeItem(atPath: files.secrets + "/otp_hmac_key")
            #expect(try files.makeSecrets() == ["otp_hmac_key"])
        }
    }

    @Test func `others read no settings and no secrets, and Redis reads its configuration`() throws {
        try withFolder { files in
            _ = try files.write(try answers())
            _ = try files.makeSecrets()
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(files.settings) == 0o600 && mode(files.secrets) == 0o700)
            #expect(try mode(files.secrets + "/redis_acl") == 0o600)
            #expect(try mode(files.folder + "/redis.conf") == 0o644 && mode(files.policies + "/mine.yaml") == 0o644)
            let redis = try String(contentsOfFile: files.folder + "/redis.conf", encoding: .utf8)
            #expect(redis.contains("unixsocket \"/run/latchkey-redis/redis.sock\"\nunixsocketperm 770\n"))
            #expect(redis.contains("\nport 0\n") && redis.contains("\nmaxmemory-policy noeviction\n"))
        }
    }

    /// A change, and a word of the fault that it causes.
    @Test(arguments: [
        ("twilio-messaging", [], "TWILIO_ACCOUNT_SID"), ("webhook", [], "SMS_HOOK_URL"),
        ("webhook", ["SMS_HOOK_URL=https://a.example", "MAIL_SENDER=smtp"], "SMTP_HOST"),
        ("inbox", [], "inbox"), ("pigeon", [], "OTP_SENDER"),
    ]) func `what would stop a process is a fault`(sender: String, others: [String], word: String) throws {
        try withFolder { files in
            let answers = try answers(sender: sender, others: others)
            _ = try files.write(answers)
            _ = try files.makeSecrets()
            #expect(faults(files, answers).contains { $0.contains(word) }, "\(faults(files, answers))")
        }
    }

    @Test(arguments: ["My \"App\"", "My\nApp", "$HOME", "a\\b", "`id`"])
    func `systemd expands nothing in a value`(name: String) {
        #expect(throws: CommandFailure.self) { try answers(appName: name) }
    }

    @Test(arguments: ["A", "=b", "a=b", "A B=c", "A=\"b\""]) func `other lines are no settings`(line: String) {
        #expect(SetupSetting(line) == nil)
    }
}
