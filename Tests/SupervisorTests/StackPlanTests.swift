import RedisClient
import ServiceKit
import Testing

@testable import SupervisorCore

@Suite struct StackPlanTests {
    private func plan(
        _ variables: [String: String] = [:], inherited: [String: String] = [:], phonesAddress: String? = nil,
        tlsPort: UInt16? = nil
    ) throws -> StackPlan {
        var port: UInt16 = 20_000
        func next() -> UInt16 {
            port += 1
            return port
        }
        return try StackPlan.make(
            SupervisorSettings(environment: variables, workingDirectory: "/srv"), phonesAddress: phonesAddress,
            gatewayPort: 8080, tlsPort: tlsPort, binaries: "/opt/bin", redisServer: "/usr/bin/redis-server",
            inherited: inherited, opsPort: { (_: String) throws(StartFailure) in next() },
            nextPort: { () throws(StartFailure) in next() })
    }

    private func names(_ plan: StackPlan) -> [String] { plan.processes.map(\.name) }

    @Test func `with fakes mail goes to them, unless something else is said`() throws {
        let plan = try plan(["LATCHKEY_FAKES": "1"], inherited: ["SMTP_HOST": "mail.example.com", "MAIL_FROM": ""])
        #expect(
            names(plan) == ["redis", "functions", "fakes", "inbox", "sample-api", "otp", "token", "user", "gateway"])
        let otp = try #require(plan.processes.first { $0.name == "otp" }).environment
        let fakes = try #require(plan.processes.first { $0.name == "fakes" })
        #expect(otp["RESEND_URL"] == "http://127.0.0.1:\(fakes.servicePort)")
        #expect(otp["SMTP_HOST"] == "mail.example.com" && otp["MAIL_FROM"] == "Latchkey <login@latchkey.example>")
        #expect(fakes.environment["FAKES_WEBHOOK_URL"] == "http://127.0.0.1:8080/webhooks/resend")
        #expect(fakes.environment["FAKES_SMTP_LISTEN"] == "127.0.0.1:\(otp["SMTP_PORT"] ?? "")")
        #expect(throws: StartFailure.self) {
            try self.plan(["LATCHKEY_FAKES": "1", "LATCHKEY_ENV": "production"])
        }
    }

    @Test func `the console runs if a setting says so, and knows the gateway as the gateway knows it`() throws {
        let plan = try plan(["LATCHKEY_CONSOLE": "1"])
        let console = try #require(plan.processes.first { $0.name == "console" })
        let gateway = try #require(plan.processes.last)
        #expect(plan.hasConsole && console.executable == "/opt/bin/console" && console.stopPhase == .services)
        #expect(gateway.environment["CONSOLE_URL"] == "http://127.0.0.1:\(console.servicePort)")
        #expect(
            console.environment["GATEWAY_URL"] == "http://127.0.0.1:8080" && console.environment["REDIS_USER"] == nil)
        let without = try self.plan()
        #expect(!without.hasConsole && without.processes.allSatisfy { $0.environment["CONSOLE_URL"] == nil })
    }

    @Test func `in development a job makes the tables in PostgreSQL, and nowhere else`() throws {
        for variable in ["TOKEN_DATABASE_URL", "USER_DATABASE_URL"] {
            let inherited = [variable: "postgres://me@localhost/latchkey"]
            let job = try #require(try plan(inherited: inherited).processes.first { $0.name == "database" })
            #expect(job.executable == "/opt/bin/latchkeyctl" && job.arguments == ["database", "migrate"])
            #expect(job.environment[variable] == inherited[variable] && job.life == .job(after: nil))
            #expect(!names(try plan(["LATCHKEY_ENV": "uat"], inherited: inherited)).contains("database"))
            #expect(!names(try plan(inherited: [variable: ""])).contains("database"))
        }
    }

    /// Without them, `deploy/ctl tls pins` and `policy check` look elsewhere than the gateway does.
    @Test func `deploy/ctl gets the settings that the processes have`() throws {
        let lines = { (plan: StackPlan) in Set(plan.variablesForControl.split(separator: "\n").map(String.init)) }
        let usual = lines(try plan(tlsPort: 8443))
        #expect(
            usual.isSuperset(of: [
                "LATCHKEY_ENV=development", "LATCHKEY_POLICY=starter", "LATCHKEY_TLS_DIR=/srv/.latchkey/tls/pairs",
            ]))
        #expect(!usual.contains { $0.hasPrefix("TOKEN_DATABASE_URL=") })
        let variables = [
            "LATCHKEY_ENV": "uat", "LATCHKEY_POLICY": "./mine.yaml", "LATCHKEY_TLS_DIR": "pairs",
            "USER_DATABASE_URL": "postgres://u@db/l?a=b", "LATCHKEY_TRUSTED_PROXIES": "10.0.0.0/8\n",
        ]
        let own = lines(try plan(variables, inherited: variables, tlsPort: 8443))
        #expect(
            own.isSuperset(of: [
                "LATCHKEY_ENV=uat", "LATCHKEY_POLICY=/srv/./mine.yaml", "LATCHKEY_TLS_DIR=/srv/pairs",
                "USER_DATABASE_URL=postgres://u@db/l?a=b",
            ]))
        #expect(!own.contains { $0.hasPrefix("LATCHKEY_TRUSTED_PROXIES") })
    }

    @Test func `for a phone links lead to this machine's address in its network`() throws {
        let plan = try plan(["LATCHKEY_BIND": "lan"], phonesAddress: "192.168.1.20")
        let otp = try #require(plan.processes.first { $0.name == "otp" }).environment
        #expect(otp["LATCHKEY_PUBLIC_URL"] == "http://192.168.1.20:8080")
        // Everything but the public socket stays on loopback.
        #expect(plan.processes.allSatisfy { $0.environment["LATCHKEY_LISTEN"]?.hasPrefix("127.0.0.1:") ?? true })
        for variables in [["LATCHKEY_BIND": "lan", "LATCHKEY_ENV": "production"], ["LATCHKEY_BIND": "0.0.0.0"]] {
            #expect(throws: StartFailure.self) { try self.plan(variables) }
        }
    }

    @Test func `with a port for TLS the gateway gets a second socket and a folder of certificates, the others nothing`()
        throws
    {
        let variables = ["LATCHKEY_TLS_PORT": "8443"]
        let plan = try plan(variables, inherited: variables, tlsPort: 8443)
        let gateway = try #require(plan.processes.last).environment
        #expect(gateway["LISTEN_FDS"] == "2" && gateway["LATCHKEY_TLS_LISTEN"] == "127.0.0.1:8443")
        #expect(gateway["LATCHKEY_TLS_DIR"] == "/srv/.latchkey/tls/pairs" && gateway["LATCHKEY_TLS_PORT"] == "8443")
        #expect(plan.authority == "/srv/.latchkey/tls/ca.crt")
        #expect(plan.processes.dropLast().allSatisfy { $0.environment["LATCHKEY_TLS_LISTEN"] == nil })
        let own = try self.plan(variables.merging(["LATCHKEY_TLS_DIR": "certificates"]) { $1 }, tlsPort: 8443)
        #expect(own.processes.last?.environment["LATCHKEY_TLS_DIR"] == "/srv/certificates" && own.authority == nil)
        #expect(try self.plan().processes.last?.environment["LATCHKEY_TLS_LISTEN"] == nil)
    }

    @Test(
        arguments: [
            (0x0A00_0001, true), (0xAC10_0001, true), (0xAC20_0001, false), (0xC0A8_0114, true), (0x7F00_0001, false),
            (0x0808_0808, false),
        ] as [(UInt32, Bool)])
    func `private addresses are those of RFC 1918`(host: UInt32, isPrivate: Bool) {
        #expect(PrivateNetwork.isPrivate(host) == isPrivate)
    }

    @Test func `a development stack has every process once`() throws {
        let plan = try plan()
        #expect(names(plan) == ["redis", "functions", "inbox", "sample-api", "otp", "token", "user", "gateway"])
        #expect(plan.inboxPort == 8025)
        #expect(plan.processes.map(\.executable).dropFirst().contains("/opt/bin/otp-service"))
    }

    @Test func `a copier runs beside the others if a setting names its target, and stops after the services`() throws {
        let inherited = ["LATCHKEY_COPY_TO": "/backups", "LATCHKEY_COPY_KEY_FILE": "/etc/copy.key"]
        let copier = try #require(try plan([:], inherited: inherited).processes.first { $0.name == "copier" })
        #expect(copier.life == .beside && copier.stopPhase == .store)
        #expect(copier.arguments.prefix(2) == ["copy", "--data"])
        #expect(copier.environment["LATCHKEY_COPY_KEY_FILE"] == "/etc/copy.key")
        #expect(try plan([:], inherited: ["LATCHKEY_COPY_TO": ""]).processes.allSatisfy { $0.name != "copier" })
    }

    @Test func `no two processes share a port`() throws {
        let plan = try plan(["LATCHKEY_REPLICAS": "otp=2,token=2,user=2"])
        let ports = plan.processes.flatMap { [$0.servicePort] + ($0.opsPort.map { [$0] } ?? []) }
        #expect(Set(ports).count == ports.count)
    }

    @Test func `replicas are numbered and everybody knows all addresses`() throws {
        let plan = try plan(["LATCHKEY_REPLICAS": "token=2"])
        #expect(names(plan).contains("token-2"))
        let tokens = plan.processes.filter { $0.name.hasPrefix("token") }
        let user = try #require(plan.processes.first { $0.name == "user" })
        #expect(
            user.environment["TOKEN_URL"]
                == tokens.map { "http://127.0.0.1:\($0.servicePort)" }.joined(separator: ","))
        #expect(plan.processes.last?.environment["TOKEN_URL"] == user.environment["TOKEN_URL"])
    }

    @Test func `in a folder whose path is too long for a socket file, Redis is reached by its port`() throws {
        let folder = "/srv/" + String(repeating: "a", count: 83)
        for (folder, url) in [(folder, "unix://\(folder)/run/redis.sock"), (folder + "a", "redis://127.0.0.1:20005")] {
            let plan = try plan(["LATCHKEY_DATA_DIR": folder])
            #expect(plan.redisPort == 20_005)
            #expect(plan.processes.last?.environment["REDIS_URL"] == url)
            #expect(RedisURL(url) != nil)
        }
    }

    @Test func `production has no inbox, and an upstream replaces the sample API`() throws {
        let plan = try plan(["LATCHKEY_ENV": "production", "LATCHKEY_UPSTREAM": "http://127.0.0.1:3000"])
        #expect(names(plan) == ["redis", "functions", "otp", "token", "user", "gateway"])
        #expect(plan.inboxPort == nil)
        #expect(plan.processes.last?.environment["LATCHKEY_UPSTREAM"] == "http://127.0.0.1:3000")
        #expect(plan.processes.last?.environment["INBOX_URL"] == nil)
    }

    @Test func `the gateway alone takes the public sockets and stops first, Redis last`() throws {
        let plan = try plan()
        #expect(plan.processes.filter(\.takesPublicSockets).map(\.name) == ["gateway"])
        #expect(plan.processes.filter { $0.stopPhase == .edge }.map(\.name) == ["gateway"])
        #expect(plan.processes.filter { $0.stopPhase == .store }.map(\.name) == ["redis"])
        #expect(ProcessSpec.StopPhase.allCases == [.edge, .services, .store])
    }

    @Test func `settings of ours win over inherited ones, provider settings pass, socket variables do not`() throws {
        let plan = try plan(inherited: [
            "TWILIO_ACCOUNT_SID": "AC1", "REDIS_URL": "redis://elsewhere:1", "REDIS_USER": "root", "LISTEN_FDS": "7",
            "LISTEN_PID": "1",
        ])
        let otp = try #require(plan.processes.first { $0.name == "otp" })
        #expect(otp.environment["TWILIO_ACCOUNT_SID"] == "AC1")
        #expect(otp.environment["REDIS_URL"] == "unix:///srv/.latchkey/run/redis.sock")
        #expect(otp.environment["REDIS_USER"] == "otp")
        #expect(otp.environment["LISTEN_FDS"] == nil)
        #expect(plan.processes.last?.environment["LISTEN_FDS"] == "1")
        #expect(plan.processes.last?.environment["LISTEN_PID"] == nil)
        #expect(plan.processes.first { $0.name == "inbox" }?.environment["REDIS_USER"] == nil)
    }
}
