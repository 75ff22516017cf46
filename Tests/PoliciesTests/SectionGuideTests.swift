import Testing

@testable import Policies

@Suite struct SectionGuideTests {
    /// Each example, in place of what the policy has there, is right.
    @Test(arguments: SectionGuide.examples)
    func `an example in a message can be copied`(_ path: String, _ example: String) {
        guard !path.contains("["), !path.contains(".") else { return }
        var lines: [Substring] = []
        var isSkipped = false
        for line in PolicyText.minimal.split(separator: "\n") {
            if !line.hasPrefix(" ") { isSkipped = line.hasPrefix("\(path):") }
            if !isSkipped { lines.append(line) }
        }
        let needed =
            switch path {
            case "routes": "upstreams: { app: $LATCHKEY_UPSTREAM }\n"
            case "cookies": "cors: { origins: [\"https://app.example.com\"], credentials: true }\n"
            case "webRedirects": "apple: { audiences: [a], servicesID: b }\n"
            default: ""
            }
        let text = (lines.joined(separator: "\n") + "\n\(needed)\(path): \(example)\n").replacing(
            "profile: mobile }", with: "profile: mobile, web: refreshCookie }")
        #expect(PolicyText.findings(text) == [], "\(text)")
    }

    @Test func `a section is asked for with an example and the page to read`() {
        let text = PolicyText.minimal + "otp: on\npasswords: 7\n"
        let findings = PolicyText.findings(text)
        #expect(findings.count == 2)
        #expect(
            findings.allSatisfy { $0.contains("a section, such as ") && $0.contains("(deploy/docs/") }, "\(findings)")
    }

    @Test(arguments: [
        ("profiles.web", "web: { algorithm: RS256 }"), ("dialects[3].otp", "of keys and values"),
        ("attributes[0]", "attributes: [{ name: plan"),
    ])
    func `an entry has the example of its kind`(path: String, words: String) {
        #expect(SectionGuide.advice(path).contains(words), "\(SectionGuide.advice(path))")
    }
}
