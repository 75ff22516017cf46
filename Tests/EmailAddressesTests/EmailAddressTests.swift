import EmailAddresses
import Testing

@Suite struct EmailAddressTests {
    private static let long = String(repeating: "a", count: 64)

    @Test(arguments: [
        ("ann@example.com", "ann@example.com"), (" \tAnn.Lee@Example.COM ", "ann.lee@example.com"),
        ("a+b@x.io", "a+b@x.io"), ("o'hara!#$%&*/=?^_`{|}~-@x.io", "o'hara!#$%&*/=?^_`{|}~-@x.io"),
        ("1@2.xn--p1ai", "1@2.xn--p1ai"), ("a@1a.b-c.d1", "a@1a.b-c.d1"),
        ("\(long)@x.io", "\(long)@x.io"),
    ])
    func `is read in its one spelling`(_ typed: String, _ text: String) throws {
        #expect(try EmailAddress(parsing: typed).text == text)
    }

    @Test(arguments: [
        "", " ", "@", "a", "a@", "@x.io", "a@x", "a@x.", "a@.io", "a@x..io", ".a@x.io", "a.@x.io", "a..b@x.io",
        "a@b@x.io",
        "a b@x.io", "a@x .io", "Ann <a@x.io>", "\"a\"@x.io", "a(b)@x.io", "a@[127.0.0.1]", "a@127.0.0.1", "a@x.1",
        "a@-x.io", "a@x-.io", "a@x_y.io", "a@x.io\n", "a\r\nBcc: b@x.io", "a\0@x.io", "a\u{200B}@x.io", "ä@x.io",
        "a@bücher.de",
        "a@x.io,b@x.io", "a@x.io;b@x.io", "a,b@x.io", "<a@x.io>", "mailto:a@x.io", "a\\@x.io",
        "a\(long)@x.io", "a@\(String(repeating: "x", count: 64)).io",
        "a@\(String(repeating: "x.", count: 126))io", "\u{212A}@x.io",
    ])
    func `anything else is refused`(_ typed: String) {
        #expect(throws: EmailAddressProblem.self) { try EmailAddress(parsing: typed) }
    }

    @Test func `the longest address has 254 bytes`() throws {
        let domain = String(repeating: "x.", count: 125) + "io"
        #expect(try EmailAddress(parsing: "a@\(domain)").text.utf8.count == 254)
        #expect(throws: EmailAddressProblem.self) { try EmailAddress(parsing: "aa@\(domain)") }
    }

    @Test(arguments: [
        ("a.b+c+d@x.io", "a.b@x.io"), ("A.B+c@gmail.com", "ab@gmail.com"), ("a.b+c@googlemail.com", "ab@gmail.com"),
        ("a.b@mail.gmail.com", "a.b@mail.gmail.com"), ("+a@x.io", "@x.io"),
    ])
    func `sends are counted by mailbox`(_ typed: String, _ mailbox: String) throws {
        #expect(try EmailAddress(parsing: typed).mailbox == mailbox)
    }
}
