import Foundation
import LatchkeyAuthTesting
import Testing

@testable import LatchkeyAuth

/// Codes that are filled in, links that open the app, and Sign in with Apple
/// (rows H51, H52 and A9 of Tests/Compat/statements.md).
@Suite struct SignInHelperTests {
    @Test(arguments: [
        ("", "", false), ("12", "12", false), ("123456", "123456", true), (" 123 456 ", "123456", true),
        ("123-456", "123456", true), ("1234567", "123456", true), ("Your code is 123456", "123456", true),
        ("١٢٣٤٥٦", "123456", true), ("１２３４５６", "123456", true), ("12a", "12", false), ("½Ⅷ百1", "81", false),
    ])
    func `digits are taken from what is typed, pasted or filled in`(
        _ text: String, _ digits: String, _ isComplete: Bool
    ) {
        var entry = CodeEntry()
        entry.enter(text)
        // "Ⅷ" is a whole number as well, and so is "百"; only values of one digit count.
        #expect(entry.digits == digits)
        #expect(entry.isComplete == isComplete)
    }

    @Test func `each digit has a box`() {
        var entry = CodeEntry(length: 4)
        entry.enter("12")
        #expect((0..<5).map(entry.digit) == ["1", "2", nil, nil, nil])
        #expect(entry.digit(-1) == nil)
        entry.text = "9 8"
        #expect(entry.text == "98")
        entry.clear()
        #expect(entry.digits.isEmpty)
        #expect(CodeEntry(length: 99).length == 10)
    }

    private func makeAuth(_ change: (inout LatchkeyAuth.Configuration) -> Void = { _ in }) throws -> LatchkeyAuth {
        var configuration = LatchkeyAuth.Configuration(baseURL: try #require(URL(string: "https://api.example.com")))
        configuration.store = MemoryStore()
        configuration.surroundings = FixedSurroundings()
        change(&configuration)
        return LatchkeyAuth(configuration)
    }

    @Test func `only a link of the server's host with a token is one of a mail`() throws {
        let auth = try makeAuth()
        let links = [
            "https://api.example.com/auth/magic-link?token=abc": true,
            "https://API.example.com/auth/magic-link?token=abc": true,
            "https://api.example.com/auth/magic-link": false,
            "http://api.example.com/auth/magic-link?token=abc": false,
            "https://api.example.com:8443/auth/magic-link?token=abc": false,
            "https://evil.example/auth/magic-link?token=abc": false,
            "https://api.example.com.evil.example/auth/magic-link?token=abc": false,
            "app://api.example.com/auth/magic-link?token=abc": false,
        ]
        for (text, isLink) in links {
            #expect(auth.isLink(try #require(URL(string: text))) == isLink, "\(text)")
        }
        #expect(auth.associatedDomains == ["applinks:api.example.com", "webcredentials:api.example.com"])
        let other = try makeAuth { $0.linkHosts = ["www.example.com"] }
        #expect(other.isLink(try #require(URL(string: "https://www.example.com/in?token=abc"))))
        #expect(other.associatedDomains == ["applinks:www.example.com", "webcredentials:www.example.com"])
    }

    @Test func `Apple gets the nonce's digest in lower-case hexadecimal digits`() {
        #expect(AppleNonce("abc").digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(AppleNonce().value != AppleNonce().value)
        #expect(AppleNonce("").digest.hasPrefix("e3b0c442"))
    }

    @Test func `the name that Apple gave once is used until a sign-in has succeeded`() {
        func choose(_ given: String?, _ kept: String?) -> [String?] {
            let (name, isToKeep) = AppleName.choose(given: given, kept: kept)
            return [name, isToKeep ? "keep" : nil]
        }
        #expect(choose(" Betty  Holberton ", nil) == ["Betty Holberton", "keep"])
        #expect(choose(nil, "Betty") == ["Betty", nil])
        #expect(choose(" ", "Betty") == ["Betty", nil])
        #expect(choose("Frances", "Betty") == ["Frances", "keep"])
        #expect(choose(nil, nil) == [nil, nil])
    }
}
