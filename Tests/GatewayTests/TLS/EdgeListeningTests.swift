import Configuration
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
