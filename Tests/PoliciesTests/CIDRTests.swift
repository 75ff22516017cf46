import Policies
import Testing

@Suite struct CIDRTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.2", false), ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::1", false),
        ("::/0", "2001:db8::1", true), ("::/0", "1.2.3.4", false), ("2001:db8::/32", "2001:db8:ffff::1", true),
        ("2001:db8::/32", "2001:db9::", false), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ("192.0.2.128/25", "192.0.2.127", false),
        ("::1/128", "::1", true),
    ])
    func `a block holds an address or not`(_ block: String, _ address: String, _ holds: Bool) throws {
        #expect(try #require(CIDR(block)).contains(try #require(IPAddress(address))) == holds)
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/8/8", "10.0.0.0/+8", "10.0.0.0/ 8",
        "10.0.0.0/-1",
        "::/129", "2001:db8::1/32", "10.0.0.0/99999999999999999999", "host/8",
    ])
    func `what is no block is refused`(_ text: String) {
        #expect(CIDR(text) == nil)
    }

    @Test func `a length outside the address's own is cut`() throws {
        let address = try #require(IPAddress("192.0.2.1"))
        #expect(CIDR(around: address, prefixLength: 99).description == "192.0.2.1/32")
        #expect(CIDR(around: address, prefixLength: -1).description == "0.0.0.0/0")
    }
}
