import Configuration
import Policies
import ServiceKit
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct EdgeListeningTests {
    private func listening(_ variables: [String: String]) throws -> EdgeListening {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        return try EdgeListening(
            ProcessSettings(name: "gateway", defaultPort: 8080, reader: reader, mayListenNowhere: true))
    }

    @Test func `without settings plain HTTP is served, and no TLS`() throws {
        let usual = try listening([:])
        #expect(usual.plain?.address.description == "127.0.0.1:8080" && usual.tls == nil)
        #expect(usual.folder == "/run/tls" && usual.plainUse == .serve && usual.publicPort == 443)
        let empty = try listening([
            "LATCHKEY_TLS_LISTEN": "", "LATCHKEY_TLS_DIR": "", "LATCHKEY_TLS_PORT": "", "LATCHKEY_ACME_UPSTREAM": "",
        ])
        #expect(empty.tls == nil && empty.folder == "/run/tls" && empty.challengeURL == nil)
    }

    @Test func `TLS stands beside plain HTTP, or alone`() throws {
        let both = try listening([
            "LATCHKEY_LISTEN": "0.0.0.0:80", "LATCHKEY_TLS_LISTEN": "[::]:443", "LATCHKEY_PLAIN": "redirect",
            "LATCHKEY_TLS_PORT": "8443", "LATCHKEY_TLS_DIR": "/certificates",
        ])
        #expect(both.plain?.address.port == 80 && both.tls?.address.port == 443)
        #expect(both.plainUse == .redirect && both.publicPort == 8443 && both.folder == "/certificates")
        let alone = try listening(["LATCHKEY_LISTEN": "none", "LATCHKEY_TLS_LISTEN": "0.0.0.0:443"])
        #expect(alone.plain == nil && alone.tls?.address.port == 443)
    }

    @Test func `production with TLS redirects plain HTTP unless it is told to serve it`() throws {
        let tls = ["LATCHKEY_TLS_LISTEN": "0.0.0.0:443"]
        func use(_ variables: [String: String]) throws -> PlainRule.Use {
            try listening(tls.merging(variables) { $1 }).plainUse
        }
        #expect(try use(["LATCHKEY_ENV": "production"]) == .redirect)
        #expect(try use(["LATCHKEY_ENV": "production", "LATCHKEY_PLAIN": ""]) == .redirect)
        #expect(try use(["LATCHKEY_ENV": "production", "LATCHKEY_PLAIN": "serve"]) == .serve)
        #expect(try use(["LATCHKEY_ENV": "uat"]) == .serve)
        #expect(try listening(["LATCHKEY_ENV": "production"]).plainUse == .serve)
    }

    @Test func `production in the clear and too few descriptors are worth a line`() throws {
        let text = """
            issuer: example.com
            audience: example-api
            profiles: { mobile: { algorithm: RS256 } }
            dialects: [{ name: native, profile: mobile }]
            countries: { allowed: all }
            """
        let policy = try Policy.parse(text, file: "test.yaml")
        let alone = try FrontProxies(policy) { _ in nil }
        let behindProxy = try FrontProxies(policy) { $0 == FrontProxies.trustedVariable ? "10.0.0.0/8" : nil }
        #expect(StartWarnings.isInTheClear(.production, speaksTLS: false, proxies: alone))
        #expect(!StartWarnings.isInTheClear(.production, speaksTLS: true, proxies: alone))
        #expect(!StartWarnings.isInTheClear(.production, speaksTLS: false, proxies: behindProxy))
        #expect(!StartWarnings.isInTheClear(.uat, speaksTLS: false, proxies: alone))
        #expect(StartWarnings.fit(800, openFiles: 1024) && !StartWarnings.fit(1000, openFiles: 1024))
    }

    @Test(arguments: [
        ["LATCHKEY_LISTEN": "none"], ["LATCHKEY_TLS_LISTEN": "443"], ["LATCHKEY_PLAIN": "redirect"],
        ["LATCHKEY_PLAIN": "off", "LATCHKEY_TLS_LISTEN": "0.0.0.0:443"], ["LATCHKEY_TLS_PORT": "0"],
        ["LATCHKEY_TLS_PORT": "70000"], ["LATCHKEY_TLS_PORT": "https"],
    ])
    func `what is wrong stops the start`(variables: [String: String]) {
        #expect(throws: SettingsError.self) { try listening(variables) }
    }

    @Test func `no other process may listen nowhere`() {
        let reader = ConfigReader(
            provider: EnvironmentVariablesProvider(environmentVariables: ["LATCHKEY_LISTEN": "none"]))
        #expect(throws: SettingsError.self) { try ProcessSettings(name: "otp", defaultPort: 8081, reader: reader) }
    }

    @Test func `a supervisor hands over one socket or two`() throws {
        func sockets(_ count: String?, listensPlain: Bool = true) -> InheritedSockets {
            .find(listensPlain: listensPlain) { $0 == "LISTEN_FDS" ? count : nil }
        }
        #expect(sockets("1") == InheritedSockets(plain: 3, tls: nil))
        #expect(sockets("2") == InheritedSockets(plain: 3, tls: 4))
        #expect(sockets("1", listensPlain: false) == InheritedSockets(plain: nil, tls: 3))
        #expect(sockets("2", listensPlain: false) == InheritedSockets(plain: nil, tls: 4))
        for none in [nil, "0", "3", ""] { #expect(sockets(none) == InheritedSockets()) }
        #expect(InheritedSockets.find { ["LISTEN_FDS": "1", "LISTEN_PID": "1"][$0] } == InheritedSockets())
        #expect(try listening(["LISTEN_FDS": "2"]).tls?.inheritedSocket == 4)
    }
}
