import CryptoPrimitives
import Testing

@Suite struct KeyRingTests {
    let first = "3f9a1c5e7b2d4860a1b3c5d7e9f0123456789abcdef0fedcba98765432100112"
    let second = "9a1c5e7b2d4860a1b3c5d7e9f0123456789abcdef0fedcba987654321001123f"

    @Test(arguments: ["\n", "\r\n"])
    func `the first key signs and all verify`(lineEnd: String) throws {
        let text = ["# made today", "k2 \(first)", "", "  k1\t\(second)  ", ""].joined(separator: lineEnd)
        let ring = try KeyRing(parsing: text)
        #expect(ring.signing.id == "k2")
        #expect(ring.signing.secret == Array(first.utf8))
        #expect(ring["k1"]?.secret == Array(second.utf8))
        #expect(ring.all.map(\.id) == ["k2", "k1"])
        #expect(ring["k3"] == nil)
    }

    @Test func `a look-alike of a kid names no key`() throws {
        let ring = try KeyRing(parsing: "K1 \(first)")
        #expect(ring["\u{212A}1"] == nil)  // KELVIN SIGN equals K as a Swift string
        #expect(ring["k1"] == nil)
    }

    @Test(arguments: [
        ("", KeyRing.Problem.empty), ("\n# nothing\n", .empty), ("k1", .malformedLine(1)),
        ("\nk1 a b", .malformedLine(2)), ("k/1 0123456789abcdef0123456789abcdef", .malformedLine(1)),
        ("ké 0123456789abcdef0123456789abcdef", .malformedLine(1)),
        ("k1 0123456789abcdef0123456789abcde", .shortSecret(line: 1, minimumBytes: 32)),
        (
            "k1 7d1f0a6b93c24e58b1d0c9f7e6a53428\nk1 8d1f0a6b93c24e58b1d0c9f7e6a53428", .duplicateID(line: 2)
        ),
        ("k1 00000000000000000000000000000000", .placeholder(line: 1)),
        ("k1 my-secret-key-my-secret-key-0123", .placeholder(line: 1)),
        ("k1 ChangeMe0123456789abcdef01234567", .placeholder(line: 1)),
        ("k1 0123456789abcdef0123456789abcdef", .placeholder(line: 1)),
        ("k1 your-256-bit-secret-your-256-bit", .placeholder(line: 1)),
        ("k1 a-string-secret-at-least-256-bits-long", .placeholder(line: 1)),
        (
            "k1 AyM1SysPpbyDfZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
            .placeholder(line: 1)
        ),
        ("k1 hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg", .placeholder(line: 1)),
        ("k1 qwertyuiopasdfghjklzxcvbnm123456", .placeholder(line: 1)),
    ])
    func `a bad file is refused with its line`(text: String, problem: KeyRing.Problem) {
        #expect(throws: problem) { try KeyRing(parsing: text) }
    }

    @Test func `more than eight keys and a long kid are refused`() {
        let lines = (1...9).map { "k\($0) \(first)" }.joined(separator: "\n")
        #expect(throws: KeyRing.Problem.tooManyKeys(maximum: 8)) { try KeyRing(parsing: lines) }
        let long = String(repeating: "k", count: 129)
        #expect(throws: KeyRing.Problem.malformedLine(1)) { try KeyRing(parsing: "\(long) \(first)") }
    }

    @Test func `a problem's text quotes nothing of the line`() {
        let secret = "verysecretbutshort"
        let problem = #expect(throws: KeyRing.Problem.self) { try KeyRing(parsing: "k1 \(secret)") }
        #expect(problem.map { "\($0)".contains(secret) } == false)
    }
}
