import SupervisorCore
import Testing

@Suite struct SupervisorSettingsTests {
    private func settings(_ variables: [String: String]) throws -> SupervisorSettings {
        try SupervisorSettings(environment: variables, workingDirectory: "/srv/app")
    }

    @Test func `nothing set is a development stack on the known ports`() throws {
        let settings = try settings([:])
        #expect(settings.environment == .development)
        #expect(settings.port == 8080)
        #expect(settings.inboxPort == 8025)
        #expect(settings.redisPort == 0)
        #expect(settings.redisMemoryMegabytes == 128)
        #expect(settings.policy == "starter")
        #expect(settings.policiesDirectory == "/srv/app/deploy/policies")
        #expect(settings.dataDirectory == "/srv/app/.latchkey")
        #expect(settings.upstream == nil)
    }

    @Test func `empty counts as unset and relative paths become absolute`() throws {
        let settings = try settings([
            "LATCHKEY_PORT": "", "LATCHKEY_POLICY": "my/policy.yaml", "LATCHKEY_DATA_DIR": "/var/lib/latchkey",
        ])
        #expect(settings.port == 8080)
        #expect(settings.policy == "/srv/app/my/policy.yaml")
        #expect(settings.dataDirectory == "/var/lib/latchkey")
    }

    @Test func `a port for TLS brings a certificate for development, in production its folder must be named`() throws {
        #expect(try settings([:]).tlsPort == nil)
        #expect(try settings(["LATCHKEY_TLS_PORT": "0"]).tlsPort == 0)
        let production = [
            "LATCHKEY_ENV": "production", "LATCHKEY_TLS_PORT": "443", "LATCHKEY_UPSTREAM": "http://127.0.0.1:3000",
        ]
        let failure = #expect(throws: StartFailure.self) { try settings(production) }
        #expect(failure?.description.contains("LATCHKEY_TLS_DIR") == true)
        let named = try settings(production.merging(["LATCHKEY_TLS_DIR": "tls"]) { $1 })
        #expect(named.tlsDirectory == "/srv/app/tls" && named.tlsPort == 443)
    }

    /// The overlay for production requires it too.
    @Test(arguments: [nil, ""]) func `production needs your API`(upstream: String?) throws {
        var production = ["LATCHKEY_ENV": "production"]
        production["LATCHKEY_UPSTREAM"] = upstream
        let failure = #expect(throws: StartFailure.self) { try settings(production) }
        #expect(failure?.description.hasPrefix("LATCHKEY_UPSTREAM: is missing") == true)
        production["LATCHKEY_UPSTREAM"] = "unix:///run/api.sock"
        #expect(try settings(production).upstream == "unix:///run/api.sock")
        #expect(try settings(["LATCHKEY_ENV": "uat"]).upstream == nil)
    }

    @Test(arguments: [
        ("LATCHKEY_PORT", "65536"), ("LATCHKEY_PORT", "http"), ("LATCHKEY_INBOX_PORT", "-1"),
        ("LATCHKEY_REDIS_PORT", "1e3"), ("LATCHKEY_ENV", "prod"), ("LATCHKEY_UPSTREAM", "localhost:3000"),
        ("LATCHKEY_UPSTREAM", "ftp://127.0.0.1:3000"), ("LATCHKEY_UPSTREAM", "unix://api.sock"),
        ("LATCHKEY_TLS_PORT", "443s"),
        ("LATCHKEY_REPLICAS", "otp"), ("LATCHKEY_FAKES", "yes"), ("LATCHKEY_BIND", "wlan"),
        ("LATCHKEY_REDIS_MEMORY_MB", "8"), ("LATCHKEY_REDIS_MEMORY_MB", "64mb"),
    ])
    func `a wrong value is refused with its variable's name`(name: String, value: String) {
        let failure = #expect(throws: StartFailure.self) { try settings([name: value]) }
        #expect(failure?.description.contains(name) == true)
    }

    @Test func `all wrong values are named at once`() {
        let failure = #expect(throws: StartFailure.self) {
            try settings([
                "LATCHKEY_ENV": "production", "LATCHKEY_PORT": "http", "LATCHKEY_FAKES": "1", "LATCHKEY_BIND": "lan",
                "LATCHKEY_TLS_PORT": "443",
            ])
        }
        let lines = failure?.description.split(separator: "\n").map { $0.prefix { $0 != ":" } }
        #expect(lines == ["LATCHKEY_PORT", "LATCHKEY_FAKES", "LATCHKEY_BIND", "LATCHKEY_TLS_DIR", "LATCHKEY_UPSTREAM"])
    }
}
