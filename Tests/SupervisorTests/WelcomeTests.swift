import FoundationEssentials
import SupervisorCore
import TestSupport
import Testing

@Suite struct WelcomeTests {
    @Test func `the first line is ready and the address`() {
        for policy in ["starter", "howru", "aarokya"] {
            let text = Welcome.text(gatewayPort: 8080, inboxPort: 8025, policy: policy)
            #expect(text.hasPrefix("ready http://127.0.0.1:8080\ninbox http://127.0.0.1:8025\n"))
            #expect(text.contains("/auth/otp/request") == (policy != "aarokya"), "\(policy) may refuse these lines")
            let withFakes = Welcome.text(
                gatewayPort: 1, inboxPort: 2, policy: policy, fakes: "http://127.0.0.1:3", providers: ["apple", "acme"])
            #expect(withFakes.contains("http://127.0.0.1:1/auth/apple ") && withFakes.contains("/auth/oidc/acme "))
            #expect(withFakes.contains("http://127.0.0.1:3/fakes/identity-token?provider=acme&"))
            #expect(!text.contains("/fakes/identity-token"), "without fakes")
        }
        #expect(Welcome.text(gatewayPort: 80, inboxPort: nil, policy: "howru") == "ready http://127.0.0.1:80\n")
    }

    @Test func `the console's address comes with how to become its first administrator`() {
        let text = Welcome.text(gatewayPort: 8080, inboxPort: 8025, policy: "howru", hasConsole: true)
        #expect(text.hasPrefix("ready http://127.0.0.1:8080\nconsole http://127.0.0.1:8080/console\ninbox "))
        #expect(text.contains("deploy/ctl users change ID --role admin"))
        #expect(!Welcome.text(gatewayPort: 8080, inboxPort: 8025, policy: "howru").contains("console"))
    }

    @Test func `over TLS the address comes next, and how its authority is trusted further below`() {
        let text = Welcome.text(
            gatewayPort: 8080, inboxPort: 8025, policy: "howru", tlsPort: 8443, authority: "/data/tls/ca.crt")
        #expect(
            text.hasPrefix(
                "ready http://127.0.0.1:8080\ntls https://127.0.0.1:8443\ninbox http://127.0.0.1:8025\n"))
        #expect(text.contains("\n  /data/tls/ca.crt\n") && text.contains("deploy/docs/start/phones.md"))
        let own = Welcome.text(gatewayPort: 80, inboxPort: nil, policy: "howru", tlsPort: 443)
        #expect(own == "ready http://127.0.0.1:80\ntls https://127.0.0.1:443\n")
    }

    private func readme() throws -> String {
        try String(contentsOfFile: LatchkeyStack.root + "README.md", encoding: .utf8)
    }

    @Test func `the README shows the very lines that are printed, which have no comments for a zsh to run`() throws {
        let lines = Welcome.curlLines(gateway: "http://127.0.0.1:8080", inbox: "http://127.0.0.1:8025")
        #expect(try readme().contains("```bash run\n\(lines)\n```"))
        #expect(!lines.split(separator: "\n").contains { $0.hasPrefix("#") })
    }

    @Test func `the README is short, and each of its links leads somewhere`() throws {
        let text = try readme()
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
        let links = text.matches(of: #/(?:\]\(|src=")([^)#"]+)/#).map { String($0.1) }.filter { !$0.hasPrefix("http") }
        #expect(links.count > 20)
        for link in links {
            #expect(FileManager.default.fileExists(atPath: LatchkeyStack.root + link), "\(link)")
        }
    }
}
