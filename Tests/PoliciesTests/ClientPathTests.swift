import Policies
import Testing

@Suite struct ClientPathTests {
    private func resolve(_ peer: String, _ forwardedFor: [String], trusting blocks: [String]) throws -> String {
        try path(peer, forwardedFor, trusting: blocks).client.description
    }

    private func path(_ peer: String, _ forwardedFor: [String], trusting blocks: [String]) throws -> ClientPath {
        let proxies = try blocks.map { try #require(CIDR($0)) }
        let peer = try #require(IPAddress(peer))
        return ClientPath(peer: peer, forwardedFor: forwardedFor, trustedProxies: proxies)
    }

    @Test func `without trusted proxies the peer is the client, whatever it claims`() throws {
        #expect(try resolve("203.0.113.9", ["1.1.1.1", "2.2.2.2, 3.3.3.3"], trusting: []) == "203.0.113.9")
        #expect(try resolve("203.0.113.9", ["1.1.1.1"], trusting: ["10.0.0.0/8"]) == "203.0.113.9")
    }

    @Test(arguments: [
        (["198.51.100.7"], "198.51.100.7"), (["6.6.6.6, 198.51.100.7"], "198.51.100.7"),
        (["6.6.6.6", " 198.51.100.7 ,10.0.0.3"], "198.51.100.7"),
        (["198.51.100.7, 10.0.0.3, 10.0.0.4"], "198.51.100.7"),
        (["6.6.6.6:1, 198.51.100.7:1234"], "198.51.100.7"), (["198.51.100.7:1, 10.0.0.3:65535"], "198.51.100.7"),
        (["[2001:db8::1]:443"], "2001:db8::1"), (["[2001:DB8::1]"], "2001:db8::1"),
        (["[::ffff:198.51.100.7]:9"], "198.51.100.7"),
        (["2001:DB8::1"], "2001:db8::1"), (["::ffff:198.51.100.7"], "198.51.100.7"),
    ])
    func `behind a trusted proxy the right-most hop that is none is the client`(
        _ forwardedFor: [String], _ client: String
    ) throws {
        #expect(try resolve("10.0.0.2", forwardedFor, trusting: ["10.0.0.0/8"]) == client)
    }

    @Test(arguments: [
        [], [""], ["unknown"], ["1.1.1.1, unknown"], ["1.1.1.1,"], ["1.1.1.1, 198.51.100.7:"],
        ["1.1.1.1, 198.51.100.7:65536"], ["1.1.1.1, 198.51.100.7:+80"], ["1.1.1.1, 198.51.100.7:080000"],
        ["1.1.1.1, [::1]x"], ["1.1.1.1, [::1]:"], ["1.1.1.1, [198.51.100.7]:80"], ["1.1.1.1, [::1"], ["1.1.1.1, []:80"],
        ["1.1.1.1, 1:2:3:4:5:6:7:8:443"], ["1.1.1.1, :80"],
    ])
    func `a hop that is no address ends the search at the proxy`(_ forwardedFor: [String]) throws {
        #expect(try resolve("10.0.0.2", forwardedFor, trusting: ["10.0.0.0/8"]) == "10.0.0.2")
    }

    @Test(arguments: [
        ([], 1), (["198.51.100.7"], 1), (["198.51.100.7, 10.0.0.3"], 2), (["198.51.100.7", "10.0.0.3,10.0.0.4"], 3),
        // Text that a client wrote before the first proxy is no hop, nor is a value that no proxy writes.
        (["10.0.0.9, 198.51.100.7"], 1), (["10.0.0.9, 198.51.100.7, 10.0.0.3"], 2), (["unknown"], 1),
        (["198.51.100.7, unknown, 10.0.0.3"], 1),
        // A client with an address among the proxies'.
        (["10.0.0.9"], 1), (["10.0.0.9, 10.0.0.3"], 2),
    ])
    func `as many proxies count as stated a hop`(_ forwardedFor: [String], _ count: Int) throws {
        #expect(try path("10.0.0.2", forwardedFor, trusting: ["10.0.0.0/8"]).proxyCount == count)
        #expect(try path("203.0.113.9", forwardedFor, trusting: ["10.0.0.0/8"]).proxyCount == 0)
    }

    @Test func `the search is bounded`() throws {
        let hops = ["1.1.1.1"] + Array(repeating: "10.0.0.9", count: 10_000)
        #expect(try resolve("10.0.0.2", [hops.joined(separator: ",")], trusting: ["10.0.0.0/8"]) == "10.0.0.9")
    }
}
