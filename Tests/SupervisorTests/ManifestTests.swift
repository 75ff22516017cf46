import Foundation
import SettingNames
import SupervisorCore
import TestSupport
import Testing
import Yams

/// The overlays of docker-compose.yml, settings.md and the sources match the declarations of settings and processes.
@Suite struct ManifestTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: LatchkeyStack.root + path, encoding: .utf8)
    }

    private static func services(_ file: String) throws -> [String: [String: Any]] {
        let overlay = try #require(try Yams.load(yaml: text(file)) as? [String: Any])
        return try #require(overlay["services"] as? [String: [String: Any]])
    }

    // MARK: - Overlays

    /// An overlay, a process in it, and what the process gets: the variables of its own rows, others, and secrets.
    @Test(arguments: [
        ("apple", "user", "apple", [], ["apple_key"]), ("tls", "gateway", "tls", [], []),
        ("twilio", "otp", "twilio", [], ["twilio_auth_token"]),
        ("smtp", "otp", "", ["MAIL_FROM", "MAIL_SENDER", "SMTP_HOST", "SMTP_USER"], ["smtp_password"]),
        ("smtp", "gateway", "", ["MAIL_SENDER"], []), ("resend", "gateway", "", ["MAIL_SENDER"], []),
        ("resend", "otp", "", ["MAIL_FROM", "MAIL_SENDER"], ["resend_api_key", "resend_webhook_secret"]),
        ("postgres", "token", "postgres", [], ["token_database_password"]),
        ("postgres", "user", "postgres", [], ["user_database_password"]),
        ("external-postgres", "token", "postgres", [], ["token_database_password"]),
        ("external-postgres", "user", "postgres", [], ["user_database_password"]),
        ("events", "token", "events", [], ["user_hook_secret"]),
        ("events", "user", "events", [], ["user_hook_secret"]),
        (
            "gateways", "gateway", "",
            ["LATCHKEY_OPS_LISTEN", "LATCHKEY_PROXY_PROTOCOL", "LATCHKEY_TRUSTED_PROXIES"], []
        ),
    ])
    func `an overlay gives a process what it reads and nothing else`(
        overlay: String, name: String, rows: String, others: [String], secrets: [String]
    ) throws {
        let service = try #require(try Self.services("deploy/compose.\(overlay).yaml")[name])
        let own = Settings.own(name).filter { $0.compose == .overlay(rows) }.map(\.name)
        let environment = try #require(service["environment"] as? [String: String])
        #expect(Set(environment.keys) == Set(own + others) && service["secrets"] as? [String] ?? [] == secrets)
        #expect(!others.contains("MAIL_SENDER") || environment["MAIL_SENDER"] == overlay)
        let process = try #require(Manifest.processes.first { $0.name == name })
        // Every process reads this one.
        let read = Set(process.variables + ["LATCHKEY_OPS_LISTEN"])
        #expect(process.secrets.isSuperset(of: secrets) && read.isSuperset(of: others))
    }

    @Test(arguments: [
        ("apple", ["user"]), ("tls", ["gateway"]), ("twilio", ["otp"]), ("smtp", ["gateway", "otp"]),
        ("resend", ["gateway", "otp"]), ("postgres", ["database", "databases", "postgres", "token", "user"]),
        ("gateways", ["gateway", "proxy"]), ("events", ["token", "user"]),
    ])
    func `an overlay changes no other containers`(overlay: String, names: [String]) throws {
        #expect(try Self.services("deploy/compose.\(overlay).yaml").keys.sorted() == names)
    }

    @Test func `the overlay for TLS gives the gateway its certificates to read alone`() throws {
        let gateway = try #require(try Self.services("deploy/compose.tls.yaml")["gateway"])
        let environment = try #require(gateway["environment"] as? [String: String])
        let folder = try #require(environment["LATCHKEY_TLS_DIR"])
        let volumes = try #require(gateway["volumes"] as? [String])
        // Without a folder of certificates, the volume of the gateways' own orders stands there.
        let orders = try #require(environment["LATCHKEY_ACME_DIR"])
        #expect(volumes == ["${LATCHKEY_TLS_DIR:-acme}:\(folder):ro", "acme:\(orders)"])
        let ports = try #require(gateway["ports"] as? [String])
        let port = try #require(environment["LATCHKEY_TLS_LISTEN"]?.split(separator: ":").last)
        #expect(ports.count == 1 && ports[0].hasSuffix("${LATCHKEY_TLS_PORT:-8443}:\(port)"))
    }

    @Test func `the overlay for PostgreSQL gives the migration alone the owner's password`() throws {
        let services = try Self.services("deploy/compose.postgres.yaml")
        // `backup` and `restore` know by them that there are no files.
        let urls = try #require(services["databases"]?["environment"] as? [String: String])
        #expect(Set(urls.keys) == ["TOKEN_DATABASE_URL", "USER_DATABASE_URL"])
        for process in Manifest.processes where process.stores {
            let environment = services[process.name]?["environment"] as? [String: String]
            let url = environment?["\(process.name.uppercased())_DATABASE_URL"]
            #expect(url?.contains("sslmode=verify-full") == true)
        }
        let owners = services.filter { ($0.value["secrets"] as? [String] ?? []).contains("database_admin_password") }
        #expect(Set(owners.keys) == ["database", "postgres"])
        #expect(
            services["database"]?["command"] as? [String] == [
                "latchkeyctl", "database", "migrate", "--admin", "postgres",
            ])
    }

    @Test(arguments: Manifest.processes) func `a container runs its process`(process: ManagedProcess) throws {
        let service = try #require(try Self.services("docker-compose.yml")[process.name])
        #expect(service["command"] as? [String] == [process.executable])
        let environment = service["environment"] as? [String: String]
        #expect(environment?["LATCHKEY_LISTEN"] == "0.0.0.0:\(process.port)")
        #expect(environment?["REDIS_USER"] == process.redis?.name)
        let made = process.secrets.intersection(Manifest.madeSecrets.map(\.name))
        #expect(Set(service["secrets"] as? [String] ?? []) == made)
    }

    // MARK: - settings.md

    @Test func `settings.md names every secret, and no other`() throws {
        let page = try Self.text("deploy/docs/reference/settings.md")
        let section = try #require(page.components(separatedBy: "\n## Secrets\n").last)
        let table = try #require(
            section.components(separatedBy: "| protects |\n").last?.components(separatedBy: "\n\n").first)
        let cells = table.split(separator: "\n").compactMap { $0.split(separator: "|").first }
        let named = cells.flatMap { $0.matches(of: #/`([^`]+)`/#).map { String($0.1) } }
        let declared = Manifest.processes.reduce(into: Set<String>()) { $0.formUnion($1.secrets) }
        let others = [
            "database_admin_password", "oidc_<name>", "redis_acl", "redis_functions", "redis_operator", "redis_replica",
            "redis_sentinel",
        ]
        #expect(Set(named) == declared.union(others))
    }

    // MARK: - Sources

    /// The variables that sources name in full.
    private static func namedVariables() throws -> Set<String> {
        var found: Set<String> = []
        for folder in ["Services", "Shared"] {
            // The client library runs in apps.
            for path in try FileManager.default.subpathsOfDirectory(atPath: LatchkeyStack.root + folder)
            where path.hasSuffix(".swift") && !path.hasPrefix("LatchkeyAuth") && !path.hasPrefix("SettingNames")
                && !path.hasPrefix("Supervisor")
            {
                let prefix =
                    #/"((?:APPLE|LATCHKEY|LISTEN|MAIL|OIDC|OTEL|OTP|PASSWORD|REDIS|RESEND|SMS|SMTP|TOKEN|TWILIO|USER)_[A-Z_]+)"/#
                for match in try text(folder + "/" + path).matches(of: prefix) { found.insert(String(match.1)) }
            }
        }
        return found
    }

    @Test func `what the sources read is declared, and what is declared is read`() throws {
        let read = try Self.namedVariables()
        let declared = Set(Settings.all.map(\.name))
        #expect(read.count > 10)
        // The token is a secret; its variable is only looked for to stop the start. Only latchkeyctl reads the operator's name.
        // OTP_EXPIRED is an error's code.
        // latchkeyctl also reads the supervisor's variables of the continuous copy.
        let ofSupervisor = Settings.supervisor.map(\.name)
        #expect(
            read.subtracting(declared).subtracting(ofSupervisor) == [
                "TWILIO_AUTH_TOKEN", "LATCHKEY_OPERATOR", "OTP_EXPIRED",
            ])
        // Their names are put together from the service's.
        let composed = declared.filter { $0.contains("_DATABASE_") || $0.hasSuffix("_URL") || $0.hasPrefix("<") }
        #expect(declared.subtracting(read).subtracting(composed).isEmpty)
    }

    @Test func `every variable of ours that a file names is known`() async throws {
        let found = try await Shell.run(
            "grep -rhoE '\\bLATCHKEY_[A-Z_]*[A-Z]\\b' Services Shared deploy docker-compose.yml README.md | sort -u",
            in: LatchkeyStack.root)
        let names = Set(found.output.split(separator: "\n").map(String.init))
        #expect(names.count > 30)
        // Variables of scripts that no process gets.
        #expect(
            names.subtracting(Settings.ours) == [
                "LATCHKEY_CLOCK_FILE", "LATCHKEY_FAULTS", "LATCHKEY_ROUNDS", "LATCHKEY_ROWS", "LATCHKEY_STEP",
                "LATCHKEY_SUITE", "LATCHKEY_TEAM", "LATCHKEY_TEST_SUITES",
            ])
    }

    @Test(arguments: Manifest.keyRings + Manifest.processes.compactMap(\.redis).map { "redis_" + $0.name })
    func `every secret has a holder, and a pair's key has two`(_ name: String) {
        let holders = Manifest.processes.filter { $0.secrets.contains(name) }.map(\.name)
        let isOfPair = name.hasPrefix("assertion_") && !name.hasPrefix("assertion_control_")
        #expect(isOfPair ? holders.count == 2 : !holders.isEmpty, "\(name)")
    }
}
