import Configuration
import Foundation
import Logging
import Policies
import ServiceKit
import Testing

@testable import OTPCore

// Cited by Tests/Compat/statements.md for H59.

/// Settings that prevent the start, in one line that names the setting.
@Suite struct SenderSettingsTests {
    private static let hex = String(repeating: "0123456789abcdef", count: 2)
    private static let good = [
        "LATCHKEY_ENV": "uat", "OTP_SENDER": "twilio-verify,twilio-messaging", "TWILIO_ACCOUNT_SID": "AC" + hex,
        "TWILIO_VERIFY_SID": "VA" + hex, "TWILIO_FROM": "+15005550006",
    ]

    /// The settings of otp-service with these variables, and a secret file of its own.
    private static func settings(
        _ changes: [String: String], token: String? = "0123456789abcdef", policy changed: (String, String)? = nil
    ) throws -> OTPSettings {
        try with(changes, token: token, policy: changed) { try OTPSettings($0) }
    }

    /// Returns the result of `body` for a process with these variables, and a secret file of its own.
    private static func with<Value>(
        _ changes: [String: String], token: String? = "0123456789abcdef", policy changed: (String, String)? = nil,
        _ body: (ProcessContext) throws -> Value
    ) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "latchkey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { do { try FileManager.default.removeItem(at: folder) } catch {} }
        if let token {
            try Data(token.utf8).write(to: folder.appending(path: "twilio_auth_token"))
        }
        var variables = good.merging(changes) { $1 }
        variables["LATCHKEY_SECRETS_DIR"] = folder.path(percentEncoded: false)
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        let text = """
            issuer: example.com
            audience: example-api
            profiles: { mobile: { algorithm: RS256 } }
            dialects: [{ name: native, profile: mobile }]
            countries: { allowed: all }

            """
        let policy = try Policy.parse(
            changed.map { text.replacing($0.0, with: $0.1) } ?? text, file: "test.yaml")
        return try body(
            ProcessContext(
                settings: try ProcessSettings(name: "otp", defaultPort: 8081, reader: reader), policy: policy,
                logger: Logger(label: "test")))
    }

    @Test func `without codes no sender is needed, in production either`() throws {
        let codeless = ("countries: { allowed: all }", "otp: none\npasswords: {}")
        let settings = try Self.settings(
            ["LATCHKEY_ENV": "production", "OTP_SENDER": ""], token: nil, policy: codeless)
        #expect(settings.senders.isEmpty && !settings.costs && settings.twilio == nil)
        // Whatever the variable says.
        let named = try Self.settings(
            ["OTP_SENDER": "twilio-verify"], token: nil, policy: codeless)
        #expect(named.senders.isEmpty && named.twilio == nil)
    }

    private static let calls = ("countries:", "messages: { channels: [sms, call], fallback: [call] }\ncountries:")

    @Test func `a channel that no sender can do is left out, with a caution`() throws {
        for environment in ["development", "production"] {
            let messaging = ["LATCHKEY_ENV": environment, "OTP_SENDER": "twilio-messaging"]
            let channels = try Self.with(messaging, policy: Self.calls) { try PhoneChannels($0) }
            #expect(channels.served == [.sms] && channels.fallback.isEmpty && channels.leftOut == [.call])
            #expect(channels.cautions.count == 1 && channels.cautions.first?.contains("call") == true)
        }
        for senders in ["twilio-messaging,twilio-verify", "webhook", "inbox"] {
            let channels = try Self.with(["OTP_SENDER": senders], policy: Self.calls) { try PhoneChannels($0) }
            #expect(channels.served == [.sms, .call] && channels.fallback == [.call] && channels.cautions.isEmpty)
        }
    }

    @Test(arguments: [
        ("twilio-verify", true), ("twilio-messaging,twilio-verify", true), ("twilio-verify-managed", true),
        ("twilio-messaging", false), ("webhook", false), ("inbox", false),
    ])
    func `there is a caution if Twilio writes the texts, which cannot name a purpose`(
        _ senders: String, _ isWarned: Bool
    ) throws {
        let cautions = try Self.with(["OTP_SENDER": senders], policy: Self.calls) { try OTPService.cautions($0) }
        #expect(cautions.contains { $0.contains("Verify") } == isWarned, "\(cautions)")
        let codeless = ("countries: { allowed: all }", "otp: none\npasswords: {}")
        #expect(try Self.with(["OTP_SENDER": senders], policy: codeless) { try OTPService.cautions($0) }.isEmpty)
    }

    @Test func `a start without any channel is refused`() throws {
        let messaging = ["OTP_SENDER": "twilio-messaging"]
        let onlyCalls = ("countries:", "messages: { channels: [call] }\ncountries:")
        let error = #expect(throws: SettingsError.self) {
            try Self.with(messaging, policy: onlyCalls) { try OTPService.check($0) }
        }
        #expect(error?.description.hasPrefix("OTP_SENDER: ") == true)
        let whatsApp = ("countries:", "messages: { channels: [whatsapp] }\ncountries:")
        #expect(throws: SettingsError.self) { try Self.with(messaging, policy: whatsApp) { try PhoneChannels($0) } }
        let settings = messaging.merging(["TWILIO_WHATSAPP_FROM": "+15005550006"]) { $1 }
        let channels = try Self.with(settings, policy: whatsApp) { try PhoneChannels($0) }
        #expect(channels.served == [.whatsapp])
        let codeless = ("countries: { allowed: all }", "otp: none\npasswords: {}")
        let none = try Self.with(messaging, policy: codeless) { try PhoneChannels($0) }
        #expect(none.served.isEmpty && none.cautions.isEmpty)
    }

    @Test func `senders are tried in the order in which they stand`() throws {
        #expect(try Self.settings([:]).senders == [.twilioVerify, .twilioMessaging])
        #expect(try Self.settings(["OTP_SENDER": "inbox"]).costs == false)
        let managed = try Self.settings(["OTP_SENDER": "twilio-verify-managed"])
        #expect(managed.senders == [.twilioVerifyManaged] && managed.twilio != nil)
    }

    @Test(arguments: [
        (["OTP_SENDER": "twilio"], "OTP_SENDER"), (["OTP_SENDER": "inbox,inbox"], "OTP_SENDER"),
        (["OTP_SENDER": "twilio-verify,"], "OTP_SENDER"),
        (["OTP_SENDER": "twilio-verify-managed,twilio-messaging"], "OTP_SENDER"),
        (["OTP_SENDER": "inbox,twilio-verify-managed"], "OTP_SENDER"),
        (["OTP_SENDER": "inbox", "LATCHKEY_ENV": "production"], "OTP_SENDER"),
        (["TWILIO_ACCOUNT_SID": ""], "TWILIO_ACCOUNT_SID"), (["TWILIO_ACCOUNT_SID": "AC123"], "TWILIO_ACCOUNT_SID"),
        (["TWILIO_ACCOUNT_SID": "VA" + hex], "TWILIO_ACCOUNT_SID"), (["TWILIO_VERIFY_SID": ""], "TWILIO_VERIFY_SID"),
        (["TWILIO_VERIFY_SID": "va" + hex], "TWILIO_VERIFY_SID"),
        (["OTP_SENDER": "twilio-verify-managed", "TWILIO_VERIFY_SID": ""], "TWILIO_VERIFY_SID"),
        (["TWILIO_FROM": ""], "TWILIO_MESSAGING_SID"), (["TWILIO_FROM": "15005550006"], "TWILIO_FROM"),
        (["TWILIO_MESSAGING_SID": "MG" + hex], "TWILIO_FROM"),
        (["TWILIO_FROM": "44=ACME"], "TWILIO_FROM"), (["TWILIO_FROM": "+15005550006,44=A_B"], "TWILIO_FROM"),
        (["TWILIO_WHATSAPP_FROM": "+15005550006"], "TWILIO_WHATSAPP_CONTENT_SID"),
        (["TWILIO_API_URL": "ftp://api.twilio.com"], "TWILIO_API_URL"),
        (["TWILIO_VERIFY_URL": "http://verify.twilio.com", "LATCHKEY_ENV": "production"], "TWILIO_VERIFY_URL"),
        (["TWILIO_AUTH_TOKEN": "0123456789abcdef"], "TWILIO_AUTH_TOKEN"),
    ])
    func `a fault stops the start and names its setting`(_ changes: [String: String], _ setting: String) {
        let error = #expect(throws: SettingsError.self) { _ = try Self.settings(changes) }
        #expect(error?.description.hasPrefix(setting + ": ") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("\n") == false)
    }

    @Test func `senders by country stand beside a sender for all others`() throws {
        for settings in [
            ["TWILIO_FROM": "+15550001111,44=ACME"],
            ["TWILIO_FROM": "44=ACME", "TWILIO_MESSAGING_SID": "MG" + Self.hex],
        ] {
            #expect(try Self.settings(settings).twilio != nil)
        }
    }

    private static let callbacks: [(String?, String, String?)] = [
        (nil, "https://api.twilio.com", nil), ("http://127.0.0.1:8080", "https://api.twilio.com", nil),
        ("http://127.0.0.1:8080", "http://127.0.0.1:9", "http://127.0.0.1:8080/webhooks/twilio/status"),
        ("https://auth.example.com", "https://api.twilio.com", "https://auth.example.com/webhooks/twilio/status"),
    ]

    @Test(arguments: callbacks)
    func `callbacks are asked for where Twilio can reach us`(_ here: String?, _ twilio: String, _ url: String?) throws {
        let settings = try Self.settings(["LATCHKEY_PUBLIC_URL": here ?? "", "TWILIO_API_URL": twilio])
        #expect(settings.twilio?.callbackURL == url)
    }

    @Test(arguments: [nil, "", "short", "one two three", "0123456789\n0123456789\n0123456789\n"])
    func `so does a token that cannot be one`(_ token: String?) {
        let error = #expect(throws: SettingsError.self) { _ = try Self.settings([:], token: token) }
        #expect(error?.description.hasPrefix("secret twilio_auth_token: ") == true)
        #expect(error?.description.contains("one two") == false)
    }
}
