import AuthAPI
import Policies
import Testing

@Suite struct AttributeTests {
    private func policy(_ items: String...) -> String {
        PolicyText.minimal + "attributes:\n" + items.map { "  - \($0)\n" }.joined()
    }

    @Test func `attributes are read in the order of the file, with a default of their type`() throws {
        let text = policy(
            "{ name: isChecker, type: boolean, setBy: user, default: false }",
            "{ name: seats, type: integer, setBy: operator, default: -9007199254740991 }",
            "{ name: plan, type: string, setBy: operator, default: \"\" }", "{ name: x_1, type: string, setBy: user }")
        #expect(
            try PolicyText.parse(text).attributes == [
                AttributePolicy(name: "isChecker", kind: .boolean, setBy: .user, defaultValue: .boolean(false)),
                AttributePolicy(
                    name: "seats", kind: .integer, setBy: .operator, defaultValue: .integer(-9_007_199_254_740_991)),
                AttributePolicy(name: "plan", kind: .string, setBy: .operator, defaultValue: .string("")),
                AttributePolicy(name: "x_1", kind: .string, setBy: .user),
            ])
        #expect(try PolicyText.parse(PolicyText.minimal).attributes.isEmpty)
    }

    @Test(arguments: [
        ("{ name: id, type: string, setBy: user }", "attributes[0].name"),
        ("{ name: phoneNumber, type: string, setBy: user }", "attributes[0].name"),
        ("{ name: Role, type: string, setBy: user }", "attributes[0].name"),
        ("{ name: createdAt, type: integer, setBy: user }", "attributes[0].name"),
        ("{ name: attributes, type: string, setBy: user }", "attributes[0].name"),
        ("{ name: 1st, type: string, setBy: user }", "attributes[0].name"),
        ("{ name: _a, type: string, setBy: user }", "attributes[0].name"),
        ("{ name: a-b, type: string, setBy: user }", "attributes[0].name"),
        ("{ name: ä, type: string, setBy: user }", "attributes[0].name"),
        ("{ type: string, setBy: user }", "attributes[0].name"),
        ("{ name: a, setBy: user, default: x }", "attributes[0].type"),
        ("{ name: a, type: text, setBy: user }", "attributes[0].type"),
        ("{ name: a, type: string }", "attributes[0].setBy"),
        ("{ name: a, type: string, setBy: anybody }", "attributes[0].setBy"),
        ("{ name: a, type: boolean, setBy: user, default: 1 }", "attributes[0].default"),
        ("{ name: a, type: boolean, setBy: user, default: \"true\" }", "attributes[0].default"),
        ("{ name: a, type: integer, setBy: user, default: 9007199254740992 }", "attributes[0].default"),
        ("{ name: a, type: integer, setBy: user, default: 1.5 }", "attributes[0].default"),
        ("{ name: a, type: string, setBy: user, default: 5 }", "attributes[0].default"),
        ("{ name: a, type: string, setBy: user, default: \"a\\tb\" }", "attributes[0].default"),
        ("{ name: a, type: string, setBy: user, default: [a] }", "attributes[0].default"),
        ("{ name: a, type: string, setBy: user, unit: m }", "attributes[0].unit"),
    ])
    func `what is wrong is named with its line and key`(item: String, key: String) {
        let findings = PolicyText.findings(policy(item))
        #expect(findings.count == 1 && findings.first?.hasPrefix("test.yaml:11: \(key): ") == true, "\(findings)")
    }

    @Test func `a name stands once, whatever its case, and is of bounded length`() {
        for (one, other) in [("plan", "Plan"), ("isChecker", "is_checker")] {
            let twice = PolicyText.findings(
                policy("{ name: \(one), type: string, setBy: user }", "{ name: \(other), type: string, setBy: user }"))
            #expect(
                twice.count == 1 && twice.first?.hasPrefix("test.yaml:12: attributes[1].name: ") == true, "\(twice)")
        }
        #expect(PolicyText.findings(policy("{ name: created_at, type: string, setBy: user }")).count == 1)
        for (length, isRight) in [(64, true), (65, false)] {
            let name = String(repeating: "a", count: length)
            #expect(PolicyText.findings(policy("{ name: \(name), type: string, setBy: user }")).isEmpty == isRight)
        }
    }

    @Test(arguments: [(16, true), (17, false)])
    func `there are at most 16`(count: Int, isRight: Bool) {
        let items = (0..<count).map { "  - { name: a\($0), type: string, setBy: user }\n" }.joined()
        #expect(PolicyText.findings(PolicyText.minimal + "attributes:\n" + items).isEmpty == isRight)
    }

    @Test func `a value is admitted within its type's bounds alone`() {
        let (flag, number, text) = (
            AttributePolicy(name: "a", kind: .boolean, setBy: .user),
            AttributePolicy(name: "a", kind: .integer, setBy: .user),
            AttributePolicy(name: "a", kind: .string, setBy: .user)
        )
        #expect(flag.admits(.boolean(true)) && !flag.admits(.integer(1)) && !flag.admits(.string("true")))
        #expect(number.admits(.integer(9_007_199_254_740_991)) && !number.admits(.integer(9_007_199_254_740_992)))
        #expect(!number.admits(.boolean(true)) && !text.admits(.integer(1)))
        #expect(text.admits(.string("")) && text.admits(.string(String(repeating: "é", count: 256))))
        let refused = [String(repeating: "a", count: 257), "a\u{0}", "a\nb", "a\u{2028}b", "a\u{85}", "a\u{7F}"]
        for refused in refused { #expect(!text.admits(.string(refused))) }
        // One character with any number of marks.
        #expect(!text.admits(.string("a" + String(repeating: "\u{0316}", count: 256))))
    }

    @Test func `what an operator writes is read by the attribute's type`() {
        let (flag, number) = (
            AttributePolicy(name: "a", kind: .boolean, setBy: .user),
            AttributePolicy(name: "a", kind: .integer, setBy: .user)
        )
        #expect(flag.value(written: "true") == .boolean(true) && flag.value(written: "yes") == nil)
        #expect(number.value(written: "-3") == .integer(-3))
        for text in ["", "3.0", "x", "9007199254740992", "99999999999999999999"] {
            #expect(number.value(written: text) == nil)
        }
    }
}
