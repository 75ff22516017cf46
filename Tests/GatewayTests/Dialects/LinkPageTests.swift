import EdgeHTTP
import StrictJSON
import TestSupport
import Testing

@testable import GatewayCore
@testable import Policies

/// The page behind a link, and the files by which phones let an app open it.
@Suite struct LinkPageTests {
    private static let token = String(repeating: "aB3-_xyz", count: 8)

    private static func html(_ query: String?, scheme: String? = "howru") -> String {
        let page = LinkPage(
            appName: "A&B <i>",
            catalog: MessageCatalog(fallback: "en", byLocale: ["en": MessageTexts.english], scheme: scheme))
        return String(decoding: page.reply(query: query, locales: []).body, as: UTF8.self)
    }

    @Test func `a token that can be ours is handed to the app`() {
        #expect(
            Self.html("token=\(Self.token)").contains(
                #"<a href="howru://magic-link?token=\#(Self.token)" class="button">"#))
        #expect(!Self.html("token=\(Self.token)", scheme: nil).contains("<a"))
    }

    @Test(arguments: ["token=\(token)&x=1", "x=1&token=\(token)", "token=\(token)%22"])
    func `what a mail program adds around the token is on no page`(query: String) {
        #expect(Self.html(query).contains(#"<a href="howru://magic-link?token=\#(Self.token)" class="button">"#))
    }

    @Test(
        arguments: [
            nil, "", "token=", "token=short", "token=\(token)\"><script>",
            "token=\(String(repeating: "A", count: 513))", "TOKEN=\(token)", "token=\(token)A===",
            "token=\(String(repeating: "A", count: 61))",
        ] as [String?])
    func `anything else is on no page`(query: String?) {
        let html = Self.html(query)
        #expect(!html.contains("<a") && !html.contains("<script") && !html.contains("howru://"))
    }

    @Test func `the app's name is text`() { #expect(Self.html(nil).contains("A&amp;B &lt;i&gt;")) }

    @Test func `phones are told of the apps there are, and of no others`() throws {
        #expect(AppLinks().rows.isEmpty)
        var policy = AppsPolicy()
        policy.ios = ["ABCDE12345.com.example.app"]
        #expect(AppLinks(policy).rows.map(\.pattern.text) == ["/.well-known/apple-app-site-association"])
        let apple = try StrictJSON.encode(AppleAppSiteAssociation(appIDs: policy.ios))
        #expect(
            String(decoding: apple, as: UTF8.self)
                == #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":"#
                + #"[{"/":"/auth/magic-link","?":{"token":"*"}}]}]},"webcredentials":{"apps":["ABCDE12345.com.example.app"]}}"#
        )
        let print = Array(repeating: "AB", count: 32).joined(separator: ":")
        policy.android = [AppsPolicy.Android(package: "com.example.app", fingerprints: [print])]
        #expect(AppLinks(policy).rows.count == 2)
        let google = try StrictJSON.encode(policy.android.map(AndroidAssetLink.init))
        #expect(
            String(decoding: google, as: UTF8.self)
                == #"[{"relation":["delegate_permission/common.handle_all_urls","delegate_permission/common.get_login_creds"],"#
                + #""target":{"namespace":"android_app","package_name":"com.example.app","sha256_cert_fingerprints":["\#(print)"]}}]"#
        )
    }
}
