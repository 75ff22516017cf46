import FoundationEssentials
import SupervisorCore
import Testing

@Suite struct WelcomeTests {
    @Test func `the first line is ready and the address`() {
        for policy in ["howru", "aarokya"] {
            let text = Welcome.text(gatewayPort: 8080, inboxPort: 8025, policy: policy)
            #expect(text.hasPrefix("ready http://127.0.0.1:8080\ninbox http://127.0.0.1:8025\n"))
            #expect(text.contains("/auth/otp/request") == (policy == "howru"), "\(policy) may refuse these lines")
        }
        #expect(Welcome.text(gatewayPort: 80, inboxPort: nil, policy: "howru") == "ready http://127.0.0.1:80\n")
    }

    @Test func `the README shows the very lines that are printed`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let lines = Welcome.curlLines(gateway: "http://127.0.0.1:8080", inbox: "http://127.0.0.1:8025")
        #expect(readme.contains("```bash\n\(lines)\n```"))
    }
}
