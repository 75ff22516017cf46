import EmailAddresses
import Testing

@Suite struct EmailAddressTests {
    private static let long = String(repeating: "a", count: 64)

    @Test(arguments: [
        ("ann@example.com", "ann@example.com"), (" \tAnn.Lee@Example.COM ", "ann.lee@example.com"),
        ("a+b@x.io", "a+b@x.io"), ("o'hara!#$%&*/=?^_`{|}~-@x.io", "o'hara!#$%&*/=?^_`{|}~-@x.io"),
        ("1@2.xn--p1ai", "1@2.xn--p1ai"), ("a@1a.b-c.d1", "a@1a.b-c.d1"),
        ("a@x.io\n", "a@x.io"), ("\r\n a@x.io\r\n", "a@x.io"), ("\u{A0}a@x.io\u{A0}", "a@x.io"),
        ("\u{200B}a@x.io\u{200B}", "a@x.io"), ("\u{202A}a@x.io\u{202C}", "a@x.io"), ("\u{FEFF}a@x.io", "a@x.io"),
        ("\u{2068}a@x.io\u{2069}\n", "a@x.io"), ("a@x.io\u{2028}", "a@x.io"), ("\u{3000}a@x.io\u{200E}", "a@x.io"),
        ("\u{3164}a@x.io\u{2800}", "a@x.io"),
        ("\(long)@x.io", "\(long)@x.io"),
    ])
    func `is read in its one spelling`(_ typed: String, _ text: String) throws {
        #expect(try EmailAddress(parsing: typed).text == text)
    }

    @Test(arguments: [
        "", " ", "@", "a", "a@", "@x.io", "a@x", "a@x.", "a@.io", "a@x..io", ".a@x.io", "a.@x.io", "a..b@x.io",
        "a@b@x.io",
        "a b@x.io", "a@x .io", "Ann <a@x.io>", "\"a\"@x.io", "a(b)@x.io", "a@[127.0.0.1]", "a@127.0.0.1", "a@x.1",
        "a@-x.io", "a@x-.io", "a@x_y.io", "a@x\n.io", "a@x.io\nBcc: b@x.io", "\n", "\u{200B}", "a\r\nBcc: b@x.io",
        "a\0@x.io", "a\u{200B}@x.io", "ä@x.io",
        "a@bü cher.de", "a@ü", "a@-ü.de", "a@ü..de", "a@ü\0.de", "a@xn--ü.de", "a@ü_y.de", "bücher@x.io",
        "a@\(String(repeating: "ü.", count: 60))de",
        "a@x.io,b@x.io", "a@x.io;b@x.io", "a,b@x.io", "<a@x.io>", "mailto:a@x.io", "a\\@x.io",
        "a\(long)@x.io", "a@\(String(repeating: "x", count: 64)).io",
        "a@\(String(repeating: "x.", count: 126))io", "\u{212A}@x.io",
    ])
    func `anything else is refused`(_ typed: String) {
        #expect(throws: EmailAddressProblem.self) { try EmailAddress(parsing: typed) }
    }

    @Test(arguments: [
        ("x@bücher.example", "x@xn--bcher-kva.example"), ("X@BÜCHER.Example", "x@xn--bcher-kva.example"),
        ("x@xn--bcher-kva.example", "x@xn--bcher-kva.example"), ("x@bu\u{308}cher.example", "x@xn--bcher-kva.example"),
        ("x@faß.de", "x@xn--fa-hia.de"), ("x@例え。テスト", "x@xn--r8jz45g.xn--zckzah"),
        ("x@ｅｘａｍｐｌｅ．com", "x@example.com"), ("x@उदाहरण.परीक्षा", "x@xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g"),
    ])
    func `a domain in letters and its ASCII form are one`(_ typed: String, _ text: String) throws {
        #expect(try EmailAddress(parsing: typed).text == text)
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
