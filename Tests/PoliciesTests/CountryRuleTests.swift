import PhoneNumbers
import Policies
import Testing

@Suite struct CountryRuleTests {
    @Test(arguments: [
        "+19005551234", "+870773111632", "+881612345678", "+882123456789", "+883510012345", "+979123456789",
        "+88812345678901",
    ])
    func `numbers that only cost money are refused by default`(_ text: String) throws {
        let number = try PhoneNumber(parsing: text)
        #expect(!CountryRule().allows(number))
        #expect(!CountryRule(allowedPrefixes: ["+1", "+870", "+881", "+882", "+883", "+979", "+888"]).allows(number))
    }

    @Test(arguments: ["+15551234567", "+442079460958", "+919876543210", "+8801812345678"])
    func `every other number is allowed by default`(_ text: String) throws {
        #expect(CountryRule().allows(try PhoneNumber(parsing: text)))
    }

    @Test func `a list allows its prefixes and nothing else`() throws {
        let rule = CountryRule(allowedPrefixes: ["+1", "+4475"])
        #expect(rule.allows(try PhoneNumber(parsing: "+15551234567")))
        #expect(rule.allows(try PhoneNumber(parsing: "+447512345678")))
        #expect(!rule.allows(try PhoneNumber(parsing: "+447712345678")))
        #expect(!rule.allows(try PhoneNumber(parsing: "+919876543210")))
    }

    @Test func `the longest prefix decides, and at equal length refusal`() throws {
        var rule = CountryRule(allowedPrefixes: ["+1", "+1876555", "+1809"])
        rule.blockedPrefixes = ["+1876", "+1809"]
        #expect(rule.allows(try PhoneNumber(parsing: "+15551234567")))
        #expect(!rule.allows(try PhoneNumber(parsing: "+18761234567")))
        #expect(rule.allows(try PhoneNumber(parsing: "+18765551234")))
        #expect(!rule.allows(try PhoneNumber(parsing: "+18091234567")))
    }

    @Test func `the file names all or a list`() throws {
        let list = PolicyText.minimal.replacing("allowed: all", with: "allowed: [\"+1\", \"+91\"]\n  blocked: []")
        let rule = try PolicyText.parse(list).countries
        #expect(rule.allowedPrefixes == ["+1", "+91"] && rule.blockedPrefixes.isEmpty)
        for all in ["all", "\"all\""] {
            let text = PolicyText.minimal.replacing("allowed: all", with: "allowed: \(all)")
            #expect(try PolicyText.parse(text).countries == CountryRule())
        }
        for wrong in ["+1", "[+1]", "[\"1\"]", "[\"+01\"]", "[\"+\"]", "[\"+1a\"]", "[]", "none", "\"none\"", "{}"] {
            let text = PolicyText.minimal.replacing("allowed: all", with: "allowed: \(wrong)")
            #expect(PolicyText.findings(text).count == 1, "\(wrong)")
        }
    }
}
