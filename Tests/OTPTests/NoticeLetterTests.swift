import Delivery
import Foundation
import InternalAPI
import Policies
import TestSupport
import Testing

@testable import OTPCore

/// The mails about accounts, word by word: the golden files are the mails that were sent.
@Suite struct NoticeLetterTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let kinds: [MailNotice.Kind] = [
        .accountDeletion, .confirmRegistration, .confirmRegistrationByLink, .addressKnown, .passwordReset,
        .passwordChanged, .identityChanged, .newDevice, .invitation, .confirmAddress, .inactivity,
        .passkeyAdded, .passkeyWaits, .passkeyRemoved, .passkeyCounter,
    ]
    private static let token = "t0kEn-_t0kEn-_t0kEn-_t0kEn-_t0kEn-_t0kEn-_g"

    private let letter: NoticeLetter

    init() throws {
        let policies = Self.root.appending(path: "deploy/policies").path
        letter = NoticeLetter(
            appName: "Acme", catalog: try .load(Policy.load(named: "howru", directory: policies), directory: policies),
            baseURL: "https://auth.test/base")
    }

    private func content(_ kind: MailNotice.Kind, _ locale: String, to letter: NoticeLetter? = nil) -> Message.Content {
        (letter ?? self.letter).written(
            MailNotice(
                id: "1", to: "ann@example.com", kind: kind, at: 1_700_000_000, token: Self.token, locales: [locale]))
    }

    @Test(arguments: ["en", "de", "ar"])
    func `each letter says what its golden file says`(_ locale: String) throws {
        let text = Self.kinds.map { kind in
            let content = content(kind, locale)
            return "== \(kind.rawValue)\n\(content.subject ?? "")\n\n\(content.text)\n\(content.html ?? "")"
        }.joined(separator: "\n")
        let file = Self.root.appending(path: "Tests/Vectors/Letters/notices.\(locale).txt")
        if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_GOLDEN"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(text == (try String(contentsOf: file, encoding: .utf8)))
    }

    @Test func `links lead to our own pages alone, and only where they are good for something`() {
        let base = "https://auth.test/base"
        for kind in [MailNotice.Kind.confirmRegistration, .confirmRegistrationByLink] {
            #expect(content(kind, "en").link == "\(base)/auth/verify-email?token=\(Self.token)")
        }
        for kind in [MailNotice.Kind.passwordReset, .invitation] {
            #expect(content(kind, "en").link == "\(base)/auth/reset-password?token=\(Self.token)")
        }
        #expect(content(.confirmAddress, "en").link == "\(base)/auth/confirm-address?token=\(Self.token)")
        for kind in [MailNotice.Kind.passwordChanged, .identityChanged, .newDevice, .passkeyAdded, .passkeyWaits] {
            #expect(content(kind, "en").link == "\(base)/auth/not-me?token=\(Self.token)")
        }
        for kind in [MailNotice.Kind.accountDeletion, .addressKnown] {
            let content = content(kind, "en")
            #expect(content.link == nil && !content.text.contains("http") && content.html?.contains("href") == false)
        }
    }

    @Test func `an account that waits for deletion is told of in a mail of its own`() {
        var notice = MailNotice(id: "1", to: "ann@example.com", kind: .addressKnown, at: 0, deletionAt: 1_800_000_000)
        #expect(letter.written(notice).subject == "Your Acme account is scheduled for deletion")
        #expect(letter.written(notice).text.contains("deletion on 2027-01-15"))
        notice.deletionAt = nil
        #expect(letter.written(notice).subject == "You already have a Acme account")
    }

    @Test func `a name is no markup`() throws {
        let letter = NoticeLetter(appName: "A<b>\"'&", catalog: .english, baseURL: "https://a.test")
        for kind in Self.kinds {
            let html = try #require(content(kind, "en", to: letter).html)
            #expect(!html.contains("<b>") && html.contains("A&lt;b&gt;&quot;&#39;&amp;"))
        }
    }

    @Test func `nobody's language is the deployment's own`() {
        let notice = MailNotice(id: "1", to: "ann@example.com", kind: .passwordChanged, at: 0)
        #expect(letter.written(notice).subject == "Your Acme password was changed")
        #expect(letter.written(notice).text.contains("1970-01-01 00:00 UTC"))
    }

    @Test func `a notice without the token that it needs, or with one it cannot have, is refused`() async throws {
        try await withFixture { fixture in
            let send = try #require(fixture.wiring.notices?.send)
            for kind in Self.kinds {
                let needsToken = [
                    .confirmRegistration, .confirmRegistrationByLink, .passwordReset, .invitation, .confirmAddress,
                    .passwordChanged, .identityChanged, .newDevice, .passkeyAdded, .passkeyWaits, .passkeyRemoved,
                    .passkeyCounter,
                ].contains(kind)
                for token in [nil, Self.token, "", "short", "a&b=\"><x", String(repeating: "A", count: 200)] {
                    let notice = MailNotice(
                        id: UUID().uuidString, to: "ann@example.com", kind: kind, at: 1_700_000_000, token: token)
                    if token == (needsToken ? Self.token : nil) {
                        #expect(try await send(notice) == .answer(Done()))
                    } else {
                        await #expect(throws: InvalidInput.self) { try await send(notice) }
                    }
                }
            }
            #expect(fixture.mailSender.messages.count == Self.kinds.count)
        }
    }
}
