import CryptoPrimitives
import FoundationEssentials
import SupervisorCore
import TestSupport
import Testing
import Yams

/// The containers of docker-compose.yml are confined, and deploy/secrets makes what they need.
@Suite struct ComposeTests {
    private static func compose() throws -> [String: Any] {
        let text = try String(contentsOfFile: LatchkeyStack.root + "docker-compose.yml", encoding: .utf8)
        return try #require(try Yams.load(yaml: text) as? [String: Any])
    }

    private static func services() throws -> [String: [String: Any]] {
        try #require(try compose()["services"] as? [String: [String: Any]])
    }

    /// The networks of a service, which are a list, or a mapping if another file adds addresses.
    private static func networks(of service: [String: Any]) -> Set<String> {
        if let names = service["networks"] as? [String] { return Set(names) }
        return Set((service["networks"] as? [String: Any] ?? [:]).keys)
    }

    @Test func `the app's API shares a network with the gateway alone`() throws {
        let networks = try Self.services().mapValues { Self.networks(of: $0) }
        let own = try #require(networks["sample-api"])
        #expect(!own.isEmpty)
        #expect(networks.filter { !$0.value.isDisjoint(with: own) }.keys.sorted() == ["gateway", "sample-api"])
    }

    /// Returns the secrets that deploy/secrets makes, by name, in a folder that is removed afterwards.
    private func madeSecrets(_ script: String = "deploy/secrets") async throws -> [String: String] {
        let folder = FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString
        let outcome = try await Shell.run(
            script, in: LatchkeyStack.root,
            environment: [
                // With COMPOSE_FILE, so that no line is written into a `.env` of this clone.
                "LATCHKEY_SECRETS_DIR": folder, "LATCHKEY_ENV": "development", "COMPOSE_FILE": "docker-compose.yml",
                "LATCHKEY_BIN_DIR": LatchkeyStack.root + ".build/debug",
            ])
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try #require(outcome.isSuccess, "\(outcome.output)")
        var secrets: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            secrets[name] = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions]
            #expect(mode as? Int == 0o444)
        }
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
        return secrets
    }

    @Test func `deploy/secrets makes what the supervisor makes, and what compose alone needs`() async throws {
        let secrets = try await madeSecrets()
        let passwords = Manifest.redisUsers.map { "redis_" + $0.name }
        #expect(Set(secrets.keys) == Set(Manifest.keyRings + passwords + ["redis_acl", "sms_hook_secret"]))
        for name in Manifest.keyRings {
            let ring = try KeyRing(parsing: try #require(secrets[name]))
            #expect(ring.all.map(\.id) == ["k1"])
            #expect(ring.signing.secret.count == 64)
        }
        for name in passwords { #expect(secrets[name]?.utf8.count == 65) }
        #expect(Set(secrets.values).count == secrets.count)
    }

    @Test func `its accounts of Redis are the supervisor's`() async throws {
        let secrets = try await madeSecrets()
        let passwords = Manifest.redisUsers.map { user in
            (user.name, secrets["redis_" + user.name]?.split(separator: "\n").first.map(String.init) ?? "")
        }
        #expect(secrets["redis_acl"] == RedisACL.text(passwords: Dictionary(uniqueKeysWithValues: passwords)))
    }

    @Test func `what is there is kept, and the accounts follow the passwords`() async throws {
        let secrets = try await madeSecrets(
            """
            mkdir -m 700 "$LATCHKEY_SECRETS_DIR" && cd "$LATCHKEY_SECRETS_DIR"
            echo k9 mine > grant_user_token && echo old > redis_acl && echo b > redis_otp && chmod 444 *
            cd - && deploy/secrets && cp -a "$LATCHKEY_SECRETS_DIR/." "$LATCHKEY_SECRETS_DIR.kept" && deploy/secrets &&
                diff -r "$LATCHKEY_SECRETS_DIR" "$LATCHKEY_SECRETS_DIR.kept" && rm -r "$LATCHKEY_SECRETS_DIR.kept"
            """)
        #expect(secrets["grant_user_token"] == "k9 mine\n")
        #expect(secrets["redis_otp"] == "b\n")
        let hash = "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"
        #expect(secrets["redis_acl"]?.contains("user otp on #\(hash) ") == true)
    }

    /// Without a latchkeyctl that was built here, the image's own does it, for which the folder is below one of root's.
    @Test func `the image's latchkeyctl sees the folder below /host, and names it as it is here`() async throws {
        let secrets = try await madeSecrets(
            """
            fakes=$(mktemp -d) && mkdir "$fakes/none"
            cat > "$fakes/docker" <<'END'
            #!/bin/bash
            [[ $1 == run ]] || exit 0
            while [[ $1 != -v ]]; do shift; done
            [[ $2 == "$LATCHKEY_SECRETS_DIR:/host$LATCHKEY_SECRETS_DIR" ]] || exit 1
            [[ "${*:3}" == "mine:1 latchkeyctl secrets init --compose /host$LATCHKEY_SECRETS_DIR" ]] || exit 1
            echo "made /host$LATCHKEY_SECRETS_DIR" && echo "at /host$LATCHKEY_SECRETS_DIR" >&2
            END
            chmod +x "$fakes/docker"
            output=$(PATH="$fakes:$PATH" LATCHKEY_BIN_DIR="$fakes/none" LATCHKEY_IMAGE=mine LATCHKEY_TAG=1 deploy/secrets 2>&1)
            [[ $(sort <<<"$output") == $(printf 'at %s\nmade %s' "$LATCHKEY_SECRETS_DIR" "$LATCHKEY_SECRETS_DIR") ]] &&
                rm -r "$fakes" && deploy/secrets
            """)
        #expect(!secrets.isEmpty)
    }

    @Test(arguments: ["b", "b\\n", "b\\r\\n", "b\\n\\n"])
    func `the accounts hash the bytes that the processes sign in with`(line: String) async throws {
        let secrets = try await madeSecrets(
            """
            mkdir -m 700 "$LATCHKEY_SECRETS_DIR" && cd "$LATCHKEY_SECRETS_DIR" && printf '\(line)' > redis_otp &&
                chmod 444 redis_otp && cd - && deploy/secrets
            """)
        let hash = "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"
        #expect(secrets["redis_acl"]?.contains("user otp on #\(hash) ") == true)
    }

    @Test func `with --for production it makes production's secrets, and touches none that is there`() async throws {
        let secrets = try await madeSecrets(
            """
            mkdir -m 700 "$LATCHKEY_SECRETS_DIR" && echo k9 mine > "$LATCHKEY_SECRETS_DIR/grant_user_token"
            chmod 444 "$LATCHKEY_SECRETS_DIR/grant_user_token"
            LATCHKEY_ENV=production deploy/secrets --for production | grep -q ' token_storage_key ' &&
                LATCHKEY_ENV=production deploy/secrets | grep -q 'nothing, all were there'
            """)
        #expect(secrets["grant_user_token"] == "k9 mine\n")
        #expect(secrets["sms_hook_secret"]?.hasPrefix("v1,whsec_") == true)
    }

    @Test func `in production it invents nothing and names what is missing`() async throws {
        let secrets = try await madeSecrets(
            """
            output=$(LATCHKEY_ENV=production deploy/secrets 2>&1) && exit 1
            grep -q ' redis_otp .* token_storage_key ' <<<"$output" && grep -q -e '--for production' <<<"$output"
            """)
        #expect(secrets.isEmpty)
    }

    @Test func `every process reads the host's policies where the image looks for them, and cannot write there`() throws
    {
        let image = try String(contentsOfFile: LatchkeyStack.root + "deploy/Dockerfile", encoding: .utf8)
        let folder = "/etc/latchkey/policies"
        #expect(image.contains("LATCHKEY_POLICIES_DIR=\(folder)\n"))
        for (name, service) in try Self.services() where !["redis", "databases"].contains(name) {
            let mount = "${LATCHKEY_POLICIES_DIR:-./deploy/policies}:\(folder):ro"
            #expect((service["volumes"] as? [String] ?? []).contains(mount), "\(name)")
        }
    }

    @Test func `the gateway's operations port is in the network of Redis alone`() throws {
        for (name, service) in try Self.services() {
            guard let networks = service["networks"] as? [String], networks.contains("upstream") else { continue }
            let listen = (service["environment"] as? [String: String])?["LATCHKEY_OPS_LISTEN"]
            #expect(name == "gateway" ? listen == "internal:9090" : name == "sample-api", "\(name)")
        }
    }

    @Test func `the functions are loaded once, by an account of their own that no other container has`() throws {
        let services = try Self.services()
        #expect(services["functions"]?["command"] as? [String] == ["latchkeyctl", "redis", "load"])
        #expect(services["functions"]?["restart"] as? String == "on-failure")
        let holders = services.filter { ($0.value["secrets"] as? [String] ?? []).contains("redis_functions") }
        #expect(Array(holders.keys) == ["functions"])
        #expect((services["redis"]?["command"] as? [String])?.contains("/run/secrets/redis_acl") == true)
    }

    @Test func `only the gateway and the inbox are published, and what is scaled has no fixed name or port`() throws {
        for (name, service) in try Self.services() {
            #expect((service["ports"] != nil) == ["gateway", "inbox"].contains(name), "\(name)")
            #expect(service["container_name"] == nil)
        }
    }

    @Test func `every container is confined`() throws {
        for (name, service) in try Self.services() {
            #expect(service["read_only"] as? Bool == true, "\(name)")
            #expect(service["cap_drop"] as? [String] == ["ALL"], "\(name)")
            #expect(service["security_opt"] as? [String] == ["no-new-privileges:true"], "\(name)")
            #expect(["10001:10001", "999:999"].contains(service["user"] as? String ?? ""), "\(name)")
            #expect(service["healthcheck"] != nil && service["deploy"] != nil && service["logging"] != nil, "\(name)")
        }
    }

    @Test func `in production all are told so, what is for developers stays away, and nothing is left to guess`() throws
    {
        let text = try String(contentsOfFile: LatchkeyStack.root + "deploy/compose.production.yaml", encoding: .utf8)
        let overlay = try #require(try Yams.load(yaml: text) as? [String: [String: [String: Any]]])["services"] ?? [:]
        for (name, service) in try Self.services() where service["environment"] != nil {
            let environment = overlay[name]?["environment"] as? [String: String] ?? [:]
            let isForDevelopers = overlay[name]?["profiles"] as? [String] == ["development"]
            #expect(isForDevelopers == ["inbox", "sample-api"].contains(name), "\(name)")
            #expect(isForDevelopers || environment["LATCHKEY_ENV"] == "production", "\(name)")
            // Compose refuses to start without them; mail alone goes out nowhere unless somebody says how, and otp-service
            // itself refuses to start without what its senders need.
            for (key, value) in environment where value.hasPrefix("${") {
                #expect(
                    value.contains(":?")
                        || ["${MAIL_SENDER:-none}", "${OTP_SENDER:-webhook}", "${SMS_HOOK_URL:-}"].contains(value),
                    "\(key)")
            }
        }
        let gateway = overlay["gateway"]?["environment"] as? [String: String]
        #expect(gateway?["LATCHKEY_UPSTREAM"] != nil)
        let otp = overlay["otp"]?["environment"] as? [String: String]
        #expect(otp?["OTP_SENDER"] == "${OTP_SENDER:-webhook}" && otp?["SMS_HOOK_URL"] != nil)
    }
}
