import Foundation
import SettingNames
import SupervisorCore
import TestSupport
import Testing
import Yams

/// The contents of docker-compose.yml, settings.md and the sources match the manifest's declarations.
@Suite struct ManifestTests {
    private static let allVariables = Manifest.processes.reduce(into: Manifest.commonVariables) {
        $0.formUnion($1.ownVariables)
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: LatchkeyStack.root + path, encoding: .utf8)
    }

    /// The rows of a page's tables below a heading, cell by cell, without the tables' heads.
    private static func rows(of page: String, below heading: String) throws -> [[String]] {
        let section = try #require(try text(page).components(separatedBy: "\n\(heading)\n").dropFirst().first)
        let own = try #require(section.components(separatedBy: "\n## ").first)
        return own.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.dropFirst().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The words in backticks.
    private static func names(_ cell: String) -> [String] {
        cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    // MARK: - docker-compose.yml

    /// Variables that compose gives to no process: the image sets them, a container's own limit does, or only a supervisor
    /// uses them.
    private static let notInCompose: Set = [
        "LATCHKEY_POLICIES_DIR", "LATCHKEY_SECRETS_DIR", "LATCHKEY_DATA_DIR", "LATCHKEY_MEMORY_MB",
        "LATCHKEY_LIMIT_LOCAL", "LISTEN_FDS", "LISTEN_PID",
    ]
    /// Made by hand where somebody wants it, and then mounted by hand.
    private static let notInComposeSecrets: Set = [
        "apple_key", "oauth_clients", "resend_api_key", "resend_webhook_secret", "smtp_password",
        "token_database_password",
        "twilio_auth_token", "user_database_password",
    ]
    /// The variables of PostgreSQL, which an overlay sets.
    private static var ofPostgreSQL: Set<String> {
        Set(Manifest.processes.filter(\.stores).flatMap(\.databaseVariables))
    }
    /// The variables of Twilio's senders, which an overlay sets.
    private static var ofTwilio: Set<String> { allVariables.filter { $0.hasPrefix("TWILIO_") } }
    /// The variables of the deployment's key at Apple, which an overlay sets.
    private static let ofApple: Set = ["APPLE_TEAM_ID", "APPLE_KEY_ID"]
    /// The variables of the gateway's TLS, which another overlay sets.
    private static let ofTLS: Set = [
        "LATCHKEY_TLS_LISTEN", "LATCHKEY_TLS_DIR", "LATCHKEY_TLS_PORT", "LATCHKEY_PLAIN", "LATCHKEY_ACME_UPSTREAM",
    ]

    @Test(arguments: Manifest.processes.map(\.name))
    func `compose gives a process what it reads and nothing else`(_ name: String) throws {
        let process = try #require(Manifest.processes.first { $0.name == name })
        let compose = try #require(try Yams.load(yaml: Self.text("docker-compose.yml")) as? [String: Any])
        let service = try #require((compose["services"] as? [String: [String: Any]])?[name])
        let secrets = Set(service["secrets"] as? [String] ?? [])
        #expect(secrets == process.secrets.subtracting(Self.notInComposeSecrets))
        // One anchor serves all; who has no account in Redis makes nothing of its address.
        let variables = Set((service["environment"] as? [String: Any] ?? [:]).keys)
        #expect(
            variables
                == Manifest.commonVariables.union(process.ownVariables).union(["REDIS_URL"])
                .subtracting(Self.notInCompose).subtracting(Self.ofTwilio).subtracting(Self.ofTLS)
                .subtracting(Self.ofApple).subtracting(Self.ofPostgreSQL))
        #expect(service["command"] as? [String] == [process.executable])
        let environment = service["environment"] as? [String: String]
        #expect(environment?["LATCHKEY_LISTEN"] == "0.0.0.0:\(process.port)")
        for called in process.calls {
            let port = try #require(Manifest.processes.first { $0.name == called }).port
            #expect(environment?[Manifest.urlVariable(called)] == "http://\(called):\(port)")
        }
    }

    @Test func `the overlay for Twilio gives otp-service all that its senders read, and nothing else`() throws {
        let overlay = try #require(try Yams.load(yaml: Self.text("deploy/compose.twilio.yaml")) as? [String: Any])
        let services = try #require(overlay["services"] as? [String: [String: Any]])
        #expect(Array(services.keys) == ["otp"])
        #expect(Set((services["otp"]?["environment"] as? [String: Any] ?? [:]).keys) == Self.ofTwilio)
        #expect(services["otp"]?["secrets"] as? [String] == ["twilio_auth_token"])
    }

    @Test func `the overlay for Apple gives user-service the deployment's key, and nothing else`() throws {
        let overlay = try #require(try Yams.load(yaml: Self.text("deploy/compose.apple.yaml")) as? [String: Any])
        let services = try #require(overlay["services"] as? [String: [String: Any]])
        #expect(Array(services.keys) == ["user"])
        #expect(Set((services["user"]?["environment"] as? [String: Any] ?? [:]).keys) == Self.ofApple)
        #expect(services["user"]?["secrets"] as? [String] == ["apple_key"])
        #expect((overlay["secrets"] as? [String: Any]).map { Array($0.keys) } == ["apple_key"])
    }

    @Test(arguments: [
        ("smtp", ["SMTP_HOST", "SMTP_USER"], ["smtp_password"]),
        ("resend", [], ["resend_api_key", "resend_webhook_secret"]),
    ])
    func `an overlay for mail names the sender to both processes, and gives otp-service its secrets`(
        _ sender: String, variables: [String], secrets: [String]
    ) throws {
        let text = try Self.text("deploy/compose.\(sender).yaml")
        let overlay = try #require(try Yams.load(yaml: text) as? [String: Any])
        let services = try #require(overlay["services"] as? [String: [String: Any]])
        #expect(Set(services.keys) == ["gateway", "otp"])
        let environments = services.compactMapValues { $0["environment"] as? [String: String] }
        #expect(environments["gateway"] == ["MAIL_SENDER": sender])
        #expect(environments["otp"]?["MAIL_SENDER"] == sender)
        #expect(environments["otp"].map { Set($0.keys) } == Set(variables + ["MAIL_FROM", "MAIL_SENDER"]))
        #expect(services["otp"]?["secrets"] as? [String] == secrets)
        #expect((overlay["secrets"] as? [String: Any]).map { Set($0.keys) } == Set(secrets))
        let otp = try #require(Manifest.processes.first { $0.name == "otp" })
        #expect(otp.secrets.isSuperset(of: secrets) && otp.ownVariables.isSuperset(of: variables))
    }

    @Test func `the overlay for TLS gives the gateway all that its TLS reads, and its certificates to read alone`()
        throws
    {
        let overlay = try #require(try Yams.load(yaml: Self.text("deploy/compose.tls.yaml")) as? [String: Any])
        let services = try #require(overlay["services"] as? [String: [String: Any]])
        #expect(Array(services.keys) == ["gateway"])
        let environment = try #require(services["gateway"]?["environment"] as? [String: String])
        #expect(Set(environment.keys) == Self.ofTLS)
        let folder = try #require(environment["LATCHKEY_TLS_DIR"])
        let volumes = try #require(services["gateway"]?["volumes"] as? [String])
        #expect(volumes.count == 1 && volumes[0].hasPrefix("${LATCHKEY_TLS_DIR:?"))
        #expect(volumes[0].hasSuffix(":\(folder):ro"))
        let ports = try #require(services["gateway"]?["ports"] as? [String])
        let port = try #require(environment["LATCHKEY_TLS_LISTEN"]?.split(separator: ":").last)
        #expect(ports.count == 1 && ports[0].hasSuffix("${LATCHKEY_TLS_PORT:-8443}:\(port)"))
    }

    @Test
    func `the overlay for PostgreSQL gives both services their database, and the migration alone the owner's password`()
        throws
    {
        let overlay = try #require(try Yams.load(yaml: Self.text("deploy/compose.postgres.yaml")) as? [String: Any])
        let services = try #require(overlay["services"] as? [String: [String: Any]])
        #expect(Set(services.keys) == ["token", "user", "database", "databases", "postgres"])
        // `backup` and `restore` know by them that there are no files.
        let urls = try #require(services["databases"]?["environment"] as? [String: String])
        #expect(Set(urls.keys) == ["TOKEN_DATABASE_URL", "USER_DATABASE_URL"])
        for process in Manifest.processes where process.stores {
            let service = try #require(services[process.name])
            let environment = try #require(service["environment"] as? [String: String])
            #expect(Set(environment.keys) == Set(process.databaseVariables))
            #expect(environment["\(process.name.uppercased())_DATABASE_URL"]?.contains("sslmode=verify-full") == true)
            #expect(service["secrets"] as? [String] == ["\(process.name)_database_password"])
        }
        let owners = services.filter { ($0.value["secrets"] as? [String] ?? []).contains("database_admin_password") }
        #expect(Set(owners.keys) == ["database", "postgres"])
        #expect(
            services["database"]?["command"] as? [String] == [
                "latchkeyctl", "database", "migrate", "--admin", "postgres",
            ])
        #expect((overlay["secrets"] as? [String: Any])?.count == 3)
    }

    // MARK: - settings.md

    @Test func `settings.md names every variable and who reads it, and no other`() throws {
        let page = "deploy/docs/reference/settings.md"
        let common = try Self.rows(of: page, below: "## Every process").flatMap { Self.names($0[0]) }
        #expect(Set(common) == Manifest.commonVariables.union(["<SECRET>_FILE", "LATCHKEY_MEMORY_MB"]))
        var told: [String: Set<String>] = [:]
        for row in try Self.rows(of: page, below: "## Single processes") where row.count == 5 {
            for name in Self.names(row[0]) { told[name] = Set(row[1].components(separatedBy: ", ")) }
        }
        var declared: [String: Set<String>] = [:]
        for process in Manifest.processes {
            for name in process.ownVariables where name != "LATCHKEY_MEMORY_MB" {
                declared[name, default: []].insert(process.name)
            }
        }
        #expect(told == declared)
    }

    @Test func `settings.md names every secret, and no other`() throws {
        let rows = try Self.rows(of: "deploy/docs/reference/settings.md", below: "## Secrets").filter { $0.count == 4 }
        let told = rows.flatMap { Self.names($0[0]) }
        let declared = Manifest.processes.reduce(into: Set<String>()) { $0.formUnion($1.secrets) }
        #expect(
            Set(told)
                == declared.union([
                    "database_admin_password", "oidc_<name>", "redis_acl", "redis_functions", "redis_operator",
                ]))
    }

    // MARK: - Sources

    /// The settings that the processes' sources name, as variables; a file that a process reads names them in full, a
    /// service's address is put together from its name.
    private static func readVariables() throws -> Set<String> {
        var found: Set<String> = []
        for folder in [
            "Services/Gateway", "Services/OTP", "Services/Token", "Services/User", "Services/Inbox", "Shared",
        ] {
            // The client library runs in apps.
            for path in try FileManager.default.subpathsOfDirectory(atPath: LatchkeyStack.root + folder)
            where path.hasSuffix(".swift") && !path.hasPrefix("LatchkeyAuth") && !path.hasPrefix("SettingNames") {
                let source = try text(folder + "/" + path)
                for match in source.matches(
                    of: #/(?:forKey: |serviceURLs\(|choice\(|integer\(|text\(|)"([a-z]+(?:\.[a-z]+)+)"/#)
                where match.0.first != "\"" || match.1.hasPrefix("latchkey.") {
                    found.insert(match.1.replacing(".", with: "_").uppercased())
                }
                for match in source.matches(
                    of: #/"((?:APPLE|LATCHKEY|LISTEN|OIDC|RESEND|TOKEN_DATABASE|TWILIO|USER_DATABASE)_[A-Z_]+)"/#)
                {
                    found.insert(String(match.1))
                }
            }
        }
        return found
    }

    @Test func `what the sources read is declared, and what is declared is read`() throws {
        let read = try Self.readVariables()
        #expect(read.count > 10)
        // The token is a secret; its variable is only looked for to stop the start. The operator is told to latchkeyctl alone.
        #expect(read.subtracting(Self.allVariables) == ["TWILIO_AUTH_TOKEN", "LATCHKEY_OPERATOR"])
        let addresses = Set(Manifest.processes.flatMap(\.calls).map(Manifest.urlVariable))
        #expect(Self.allVariables.subtracting(read).subtracting(addresses).isEmpty)
    }

    // MARK: - Help

    @Test(arguments: Manifest.processes.map(\.name))
    func `the help of a process lists what it reads`(_ name: String) throws {
        let process = try #require(Manifest.processes.first { $0.name == name })
        let listed = (Variables.own[name] ?? []).map(\.name)
        #expect(Set(listed) == process.ownVariables && Set(listed).count == listed.count)
        #expect(Set(Variables.common.map(\.name)) == Manifest.commonVariables)
    }

    @Test func `deploy/run and the supervisor list the same settings`() async throws {
        let help = try await Shell.run("deploy/run --help", in: LatchkeyStack.root)
        #expect(help.isSuccess && help.output.contains(Variable.listing(Variables.supervisor + Variables.run)))
        #expect(Supervisor.help.contains(Variable.listing(Variables.supervisor)))
    }

    @Test func `every variable of ours that a file names is known`() async throws {
        let found = try await Shell.run(
            "grep -rhoE '\\bLATCHKEY_[A-Z_]*[A-Z]\\b' Services Shared deploy docker-compose.yml README.md | sort -u",
            in: LatchkeyStack.root)
        let names = Set(found.output.split(separator: "\n").map(String.init))
        #expect(names.count > 30)
        // Variables of scripts that no process gets.
        #expect(
            names.subtracting(Variables.ours) == [
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
