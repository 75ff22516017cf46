import Delivery
import Foundation
import InternalAPI
import Policies
import TestSupport
import Testing

@testable import OTPCore

/// All text messages and mails stand in the listing, word for word.
@Suite(.serialized) struct TextListingTests {
    private static let code = "123456"
    private static let kinds: [MailNotice.Kind] = [
        .confirmRegistration, .confirmRegistrationByLink, .addressKnown, .passwordReset, .passwordChanged,
        .identityChanged, .newDevice, .phoneChange, .merge, .invitation, .accountDeletion, .confirmAddress,
        .inactivity, .passkeyAdded, .passkeyWaits, .passkeyRemoved, .passkeyCounter,
    ]

    private let policy: Policy
    private let catalog: MessageCatalog

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/policies").path
        let howru = try String(contentsOf: URL(filePath: "\(folder)/howru.yaml"), encoding: .utf8)
        policy = try Policy.parse(
            howru.replacing("appName: HowRU", with: "appName: Acme").replacing("  page: false", with: "  page: true")
                .replacing("# smsLocales: [de, ar]", with: "smsLocales: [en, de, ar]"), file: "howru.yaml")
        catalog = try .load(policy, directory: folder)
    }

    @Test(arguments: ["en", "de", "ar"])
    func `text messages are listed`(language: String) throws {
        let signIn = SMSTexts(policy, otp: policy.otp, catalog: catalog)
        let others = try Purpose.allCases.filter { $0 != .signIn }.map { purpose in
            let texts = try #require(
                SMSTexts(purpose.texts, of: policy, otp: policy.otp, catalog: catalog))
            return "\(purpose.rawValue): \(texts.plainMessage(code: Self.code, wanted: language))"
        }
        let letter = NoticeLetter(appName: "Acme", catalog: catalog, baseURL: "https://auth.example.com")
        let kinds: [(name: String, kind: MailNotice.Kind)] = [
            ("change", .identityChanged), ("new_device", .newDevice), ("phone_change", .phoneChange), ("merge", .merge),
            ("inactivity", .inactivity),
        ]
        let changes = try kinds.map { name, kind in
            let token = String(repeating: "aB3-_xyz", count: 5) + "aBE"
            let text = try #require(
                letter.textMessage(
                    MailNotice(id: "1", to: "+15550100", kind: kind, at: 0, token: token, locales: [language])))
            // Arabic is outside of the alphabet of short messages.
            #expect(SMSSegment(text).count == (language == "ar" ? 2 : 1))
            return "\(name): \(text)"
        }
        let text =
            (["sign_in: " + signIn.plainMessage(code: Self.code, wanted: language)] + others + changes)
            .joined(separator: "\n")
        #expect(try TextListing.listed("sms \(language)", writing: text) == text)
    }

    @Test(arguments: ["en", "de", "ar"])
    func `mails are listed`(language: String) throws {
        let letter = SignInLetter(
            appName: "Acme", catalog: catalog, linkURL: "https://auth.example.com/auth/magic-link", lifetimeSeconds: 600
        )
        let codes = [
            letter.written(code: Self.code, token: "TOKEN", locales: [language]),
            letter.written(code: Self.code, token: nil, locales: [language]),
            letter.written(code: Self.code, token: nil, for: .deletion, locales: [language]),
            letter.written(code: Self.code, token: nil, for: .reauthentication, locales: [language]),
            letter.written(code: Self.code, token: nil, for: .identity, locales: [language]),
        ]
        let notices =
            Self.kinds.map { notice($0, language) } + [notice(.addressKnown, language, deletionAt: 1_800_000_000)]
        let text = (codes + notices).map { "Subject: \($0.subject ?? "")\n\n\($0.text)" }.joined(
            separator: "\n----\n\n")
        #expect(try TextListing.listed("mails \(language)", writing: text) == text)
    }

    private func notice(_ kind: MailNotice.Kind, _ language: String, deletionAt: Int64? = nil) -> Message.Content {
        let letter = NoticeLetter(appName: "Acme", catalog: catalog, baseURL: "https://auth.example.com")
        return letter.written(
            MailNotice(
                id: "1", to: "ann@example.com", kind: kind, at: 1_798_000_000, token: "TOKEN", locales: [language],
                deletionAt: deletionAt ?? (kind == .accountDeletion ? 1_800_000_000 : nil)))
    }
}
