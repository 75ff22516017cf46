import Glibc
import Policies
import Testing

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("255.255.255.255", "255.255.255.255"), ("::", "::"), ("::1", "::1"),
        ("1::", "1::"),
        ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("2001:db8::1:0:0:1", "2001:db8::1:0:0:1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::ffff:c000:201", "192.0.2.1"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:2:3:4:5:6:7:0", "1:2:3:4:5:6:7:0"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("fe80::1", "fe80::1"),
    ])
    func `an address has one canonical text`(_ text: String, _ canonical: String) throws {
        #expect(try #require(IPAddress(text)).description == canonical)
    }

    @Test(arguments: [
        "", ".", ":", ":::", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4",
        "1.2.3.+4",
        "1.2..4", "1.2.3.", ".1.2.3", "1.2.3.4.", "1..2.3", ".1.2.3.4", "0x7f.0.0.1", "127.1", "１.2.3.4",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::g",
        "1:2:3:4:5:6:7:8::", "::1.2.3", "1.2.3.4::", "fe80::1%eth0", "[::1]", "::1/128", "1:2:3:4:5:6:7:",
        ":1:2:3:4:5:6:7",
        "::+1", "1:2:3:4::5:6:7:8", "localhost", "unknown",
    ])
    func `what is no address is refused`(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `the C library reads the same IPv4 texts`() {
        let alphabet = Array("0122355.....")
        var generator = SystemRandomNumberGenerator()
        var known = 0
        for _ in 0..<100_000 {
            let text = String(
                (0..<Int.random(in: 5...11, using: &generator)).map { _ in alphabet.randomElement() ?? "." })
            var bytes = in_addr()
            let isIPv4 = unsafe withUnsafeMutablePointer(to: &bytes) { unsafe inet_pton(AF_INET, text, $0) } == 1
            #expect((IPAddress(text) != nil) == isIPv4, "\(text)")
            guard isIPv4 else { continue }
            known += 1
            #expect(IPAddress(text)?.bits == UInt128(UInt32(bigEndian: bytes.s_addr)), "\(text)")
        }
        #expect(known > 100)
    }

    @Test func `the C library reads the same texts as the same addresses`() {
        let alphabet = Array("0123456789abf:::::...")
        var state: UInt64 = 7
        var known = 0
        for _ in 0..<100_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var random = state
            let length = 2 + Int(random >> 60)
            let text = String(
                (0..<length).map { _ in
                    random = random &* 2_862_933_555_777_941_757 &+ 3_037_000_493
                    return alphabet[Int((random >> 33) % UInt64(alphabet.count))]
                })
            var bytes = in6_addr()
            let isIPv6 = unsafe withUnsafeMutablePointer(to: &bytes) { unsafe inet_pton(AF_INET6, text, $0) } == 1
            guard text.contains(":") else { continue }
            #expect((IPAddress(text) != nil) == isIPv6, "\(text)")
            if isIPv6 { known += 1 }
        }
        #expect(known > 1_000)
    }

    @Test(arguments: [
        "127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.1.1", "::1",
        "fd00::1", "fe80::1", "::ffff:10.0.0.1",
    ])
    func `loopback and private addresses are local`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isLoopbackOrPrivate)
    }

    @Test(arguments: [
        "128.0.0.1", "11.0.0.1", "172.32.0.1", "192.169.0.1", "100.64.0.1", "8.8.8.8", "::2", "2001:db8::1", "fec0::1",
        "::",
    ])
    func `public addresses are not`(_ text: String) throws {
        #expect(try !#require(IPAddress(text)).isLoopbackOrPrivate)
    }

    @Test func `limits count an IPv4 address and three IPv6 networks, knowing goes by wider blocks`() throws {
        let four = try #require(IPAddress("192.0.2.77"))
        let six = try #require(IPAddress("2001:db8:1:2:3:4:5:6"))
        #expect(four.limitScopes.map(\.block.description) == ["192.0.2.77/32"])
        #expect(
            six.limitScopes.map(\.block.description) == ["2001:db8:1:2::/64", "2001:db8:1::/56", "2001:db8:1::/48"])
        #expect(six.limitScopes.map { $0.max(of: 20) } == [20, 80, 320])
        #expect(six.limitScopes.map { $0.max(of: .max) } == [.max, .max, .max])
        #expect(four.knownScope.description == "192.0.2.0/24")
        #expect(six.knownScope.description == "2001:db8:1::/48")
    }
}
