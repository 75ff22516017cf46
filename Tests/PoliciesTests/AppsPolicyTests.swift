import Testing

@testable import Policies

@Suite struct AppsPolicyTests {
    private static let print = Array(repeating: "AB", count: 32).joined(separator: ":")

    private func apps(_ text: String) throws -> AppsPolicy {
        try PolicyText.parse(PolicyText.minimal + "apps: \(text)\n").apps
    }

    @Test func `apps are read`() throws {
        let apps = try apps(
            #"{ ios: [ABCDE12345.com.example.app], android: [{ package: com.example.app, sha256: ["\#(Self.print)"] }], scheme: howru }"#
        )
        #expect(apps.ios == ["ABCDE12345.com.example.app"] && apps.scheme == "howru")
        #expect(apps.android == [AppsPolicy.Android(package: "com.example.app", fingerprints: [Self.print])])
    }

    @Test(arguments: [
        "{ ios: [com.example.app] }", "{ ios: [abcde12345.com.example.app] }", "{ ios: [\"ABCDE12345.a b\"] }",
        "{ android: [{ package: app, sha256: [\"x\"] }] }", "{ android: [{ package: com.example.app }] }",
        "{ android: [{ package: com.example.app, sha256: [\"AB:CD\"] }] }", "{ scheme: https }",
        "{ scheme: javascript }",
        "{ scheme: HowRU }", "{ scheme: \"a b\" }", "{ windows: [x] }",
    ])
    func `what is no app stops the start`(text: String) {
        #expect(throws: PolicyError.self) { try apps(text) }
    }
}
