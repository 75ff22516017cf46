import Policies
import ServiceKit
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct FrontProxiesTests {
    private func proxies(_ lines: String = "", _ variables: [String: String] = [:]) throws -> FrontProxies {
        let text = """
            issuer: example.com
            audience: example-api
            profiles: { mobile: { algorithm: RS256 } }
            dialects: [{ name: native, profile: mobile }]
            countries: { allowed: all }
            \(lines)
            """
        return try FrontProxies(Policy.parse(text, file: "test.yaml")) { variables[$0] }
    }

    private static let block = CIDR(around: IPAddress(ipv4: 0x0A00_0000), prefixLength: 8)
    private static let other = CIDR(around: IPAddress(ipv4: 0xC000_0200), prefixLength: 24)

    @Test func `the policy says which proxies there are`() throws {
        let none = try proxies()
        #expect(none.trusted.isEmpty && !none.announceClients)
        let some = try proxies("trustedProxies: [10.0.0.0/8]\nedge: { proxyProtocol: true }")
        #expect(some.trusted == [Self.block] && some.announceClients)
    }

    @Test func `the environment goes before it`() throws {
        let variables = ["LATCHKEY_TRUSTED_PROXIES": "10.0.0.0/8, 192.0.2.0/24", "LATCHKEY_PROXY_PROTOCOL": "1"]
        let both = try proxies("trustedProxies: [172.16.0.0/12]", variables)
        #expect(both.trusted == [Self.block, Self.other] && both.announceClients)
        let off = try proxies(
            "trustedProxies: [10.0.0.0/8]\nedge: { proxyProtocol: true }", ["LATCHKEY_PROXY_PROTOCOL": "0"])
        #expect(off.trusted == [Self.block] && !off.announceClients)
        #expect(try proxies("", ["LATCHKEY_TRUSTED_PROXIES": "", "LATCHKEY_PROXY_PROTOCOL": ""]).trusted.isEmpty)
    }

    @Test(arguments: [
        ["LATCHKEY_PROXY_PROTOCOL": "1"], ["LATCHKEY_PROXY_PROTOCOL": "yes"],
        ["LATCHKEY_TRUSTED_PROXIES": "10.0.0.0/8,x"],
        ["LATCHKEY_TRUSTED_PROXIES": "10.0.0.0/33"],
    ])
    func `what is wrong stops the start`(variables: [String: String]) {
        #expect(throws: SettingsError.self) { try proxies("", variables) }
    }

    @Test func `a policy with the PROXY header and no proxies is refused`() {
        let error = #expect(throws: PolicyError.self) { try proxies("edge: { proxyProtocol: true }") }
        #expect(error?.findings.first?.keyPath == "trustedProxies")
    }

    @Test(arguments: [
        (["https"], ForwardedScheme.https), (["HTTPS "], .https), (["http"], .http), ([], .http), ([""], .http),
        (["http, https"], .https), (["https,http"], .http), (["https", "http"], .http), (["https,"], .http),
        (["wss"], .http), (["https\u{0}"], .http),
    ])
    func `the scheme is what the nearest proxy says`(fields: [String], expected: ForwardedScheme) {
        #expect(ForwardedScheme(statedBy: fields.map { Array($0.utf8) }) == expected)
    }

    @Test(
        arguments: [
            (["https,http"], 2, ForwardedScheme.https), (["https", "http"], 2, .https), (["http,https"], 2, .http),
            // A client's own value stands before those of the proxies.
            (["https,http,http"], 2, .http), (["https, http", "https"], 2, .http),
            (["https,http,https,http"], 3, .http),
            (["http,https,http,http"], 3, .https), (["https,,http"], 2, .http),
            // A proxy that replaces the field, and one that adds nothing.
            (["https"], 2, .https), (["http"], 3, .http), (["https,http"], 3, .http), ([], 2, .http),
            (["https,http"], 0, .http),
        ] as [([String], Int, ForwardedScheme)])
    func `of several proxies the outermost one's value counts, from the right`(
        fields: [String], proxies: Int, expected: ForwardedScheme
    ) {
        #expect(ForwardedScheme(statedBy: fields.map { Array($0.utf8) }, through: proxies) == expected)
    }
}
