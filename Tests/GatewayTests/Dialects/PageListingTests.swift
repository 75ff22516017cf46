import EdgeHTTP
import Foundation
import TestSupport
import Testing

@testable import GatewayCore
@testable import Policies

/// The text of every page stands in the listing, word for word.
@Suite(.serialized) struct PageListingTests {
    private static let token = String(repeating: "aB3-_xyz", count: 5) + "aBE"

    private let catalog: MessageCatalog

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "deploy/policies").path
        let howru = try String(contentsOf: URL(filePath: "\(folder)/howru.yaml"), encoding: .utf8)
        catalog = try .load(.parse(howru + "\napps: { scheme: acme }\n", file: "howru.yaml"), directory: folder)
    }

    @Test(arguments: ["en", "de", "ar"])
    func `pages are listed`(language: String) throws {
        let text = pages(language).map { Self.withoutModule($0) + "\n" + Self.words($1) }.joined(separator: "\n\n")
        #expect(try TextListing.listed("pages \(language)", writing: text) == text)
    }

    @Test func `a page that is done leads back to the app, if the app has a scheme`() {
        let reset = AccountPage(act: .reset, appName: "Acme", catalog: catalog)
        let done = String(decoding: reset.done(locales: []).body, as: UTF8.self)
        #expect(done.contains(#"<a href="acme://open" class="button">Open Acme</a>"#))
        let plain = AccountPage(act: .reset, appName: "Acme", catalog: .english).done(locales: [])
        #expect(!String(decoding: plain.body, as: UTF8.self).contains("<a "))
    }

    @Test func `the page for a new password states the policy's rules before the first attempt`() {
        let reset = AccountPage(act: .reset, appName: "Acme", catalog: .english, lengthMin: 12)
        let html = String(decoding: reset.reply(query: "token=\(Self.token)", locales: []).body, as: UTF8.self)
        #expect(html.contains(#"<p id="rules" class="quiet">At least 12 characters."#))
        #expect(html.contains(#"aria-describedby="rules">"#))
        let confirm = AccountPage(act: .confirm, appName: "Acme", catalog: .english)
        let asked = String(decoding: confirm.reply(query: "token=\(Self.token)", locales: []).body, as: UTF8.self)
        #expect(!asked.contains("id=\"rules\""))
    }

    private func pages(_ language: String) -> [(name: String, reply: Reply)] {
        func account(_ act: AccountPage.Act) -> AccountPage { AccountPage(act: act, appName: "Acme", catalog: catalog) }
        let deletion = DeletionPage(appName: "Acme", catalog: catalog)
        let link = LinkPage(appName: "Acme", catalog: catalog)
        let notMe = NotMePage(appName: "Acme", catalog: catalog)
        let (query, locales) = ("token=\(Self.token)", [language])
        let refusals: [Refusal] = [
            .wrongPassword, .weakPassword, .invalidBody(.unfit), .tooMany(retryAfterSeconds: 30),
            .unavailable, .invalidLink,
        ]
        let code = DeletionPage.Form(recipient: "+15550100", code: "1")
        let problems: [Refusal] = [
            .invalidPhone, .wrongCode, .codeNotSent(retryAfterSeconds: 1), .accountInactive, .invalidBody(.unfit),
            .tooMany(retryAfterSeconds: 30), .unavailable,
        ]
        return [
            ("# Sign-in link", link.reply(query: "token=\(String(repeating: "aB3-_xyz", count: 8))", locales: locales)),
            (
                "# Return to an app with a private scheme",
                AppReturnPage(appName: "Acme", catalog: catalog).reply(to: "com.acme:/in?code=c", locales: locales)
            ),
            ("# Confirm a registration", account(.confirm).reply(query: query, locales: locales)),
            ("# Confirmed", account(.confirm).done(locales: locales)),
            ("# Set a password", account(.reset).reply(query: query, locales: locales)),
            ("# Password set", account(.reset).done(locales: locales)),
        ] + refusals.map { ("# Set a password: \($0)", account(.reset).reply(to: $0, token: nil, locales: locales)) }
            + [
                ("# Delete the account", deletion.start(locales: locales)),
                ("# Delete the account: code", deletion.sent(to: "+15550100", locales: locales)),
                ("# Deletion scheduled", deletion.done(1_800_000_000, locales: locales)),
                ("# No account", deletion.done(nil, locales: locales)),
                ("# A change that was not theirs", notMe.button([Self.token, "s"], locales: locales)),
                ("# Reported", notMe.done(locales: locales)),
                ("# Report refused", notMe.reply(to: .invalidLink, locales: locales)),
            ] + problems.map { ("# Delete the account: \($0)", deletion.reply(to: $0, form: code, locales: locales)) }
    }

    private static func withoutModule(_ name: String) -> String { name.replacing("InternalAPI.LimitKind", with: "") }

    /// The words between the tags of the page's main part, a line for each element.
    private static func words(_ reply: Reply) -> String {
        let html = String(decoding: reply.body, as: UTF8.self)
        let main = html.components(separatedBy: "<main>").last?.components(separatedBy: "</main>").first ?? ""
        return main.replacing(#/<[^>]*>/#, with: "\n").components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.joined(separator: "\n")
            .replacing("&#39;", with: "'").replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
    }
}
