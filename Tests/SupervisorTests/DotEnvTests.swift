import FoundationEssentials
import TestSupport
import Testing

/// deploy/secrets and deploy/check-env read `.env` as compose does.
@Suite struct DotEnvTests {
    /// Returns the output and files of `deploy/secrets` in a folder with this `.env`, with nothing set in the environment.
    private func made(dotEnv: String, _ also: String = "") async throws -> (isSuccess: Bool, output: String) {
        let folder = FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try FileManager.default.createDirectory(atPath: folder + "/deploy", withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: LatchkeyStack.root + "deploy")
        where ["secrets", "check-env", "lib"].contains(name) || name.hasPrefix("compose.") {
            try FileManager.default.copyItem(
                atPath: LatchkeyStack.root + "deploy/" + name, toPath: folder + "/deploy/" + name)
        }
        try FileManager.default.createDirectory(
            atPath: folder + "/deploy/docs/reference", withIntermediateDirectories: true)
        for name in ["docker-compose.yml", "deploy/docs/reference/settings.md"] {
            try FileManager.default.copyItem(atPath: LatchkeyStack.root + name, toPath: folder + "/" + name)
        }
        try dotEnv.write(toFile: folder + "/.env", atomically: true, encoding: .utf8)
        let binaries = LatchkeyStack.root + ".build/debug"
        let command =
            "unset LATCHKEY_ENV LATCHKEY_SECRETS_DIR COMPOSE_FILE; export LATCHKEY_BIN_DIR=\(binaries); \(also) deploy/secrets 2>&1 && ls -d */ mine/redis_acl"
        let outcome = try await Shell.run(command, in: folder)
        return (outcome.isSuccess, outcome.output)
    }

    @Test(arguments: ["=mine", "= \"mine\" # ours", ": mine", "='mine'\r"])
    func `deploy/secrets reads .env as compose does, the last line of a name`(value: String) async throws {
        let made = try await made(
            dotEnv:
                "LATCHKEY_ENV=uat\n# LATCHKEY_SECRETS_DIR=no\nLATCHKEY_SECRETS_DIR=no\nLATCHKEY_SECRETS_DIR\(value)\n")
        #expect(made.isSuccess && made.output.contains("mine/redis_acl"), "\(made.output)")
        #expect(!made.output.contains("no/") && !made.output.contains("secrets.d"), "\(made.output)")
    }

    @Test func `what is set in the environment goes before .env, and what compose would expand is refused`()
        async throws
    {
        let production = "LATCHKEY_ENV=production\nLATCHKEY_SECRETS_DIR=mine\n"
        #expect(try await !made(dotEnv: production).isSuccess)
        #expect(try await made(dotEnv: production, "LATCHKEY_ENV=uat").isSuccess)
        let expanded = try await made(dotEnv: "LATCHKEY_ENV=uat\nLATCHKEY_SECRETS_DIR=$HOME/mine\n")
        #expect(!expanded.isSuccess && expanded.output.contains("not a plain value"), "\(expanded.output)")
    }

    @Test func `nobody gets a development system by saying nothing, but a missing .env is written`() async throws {
        for dotEnv in ["LATCHKEY_SECRETS_DIR=mine\n", "LATCHKEY_ENV=\nLATCHKEY_SECRETS_DIR=mine\n"] {
            let made = try await made(dotEnv: dotEnv)
            #expect(!made.isSuccess && made.output.contains("write LATCHKEY_ENV=development into"), "\(made.output)")
        }
        let missing = try await made(
            dotEnv: "",
            "rm .env; LATCHKEY_SECRETS_DIR=mine deploy/secrets && cat .env && export LATCHKEY_SECRETS_DIR=mine;")
        #expect(missing.isSuccess && missing.output.contains("\nLATCHKEY_ENV=development\n"), "\(missing.output)")
        let emptied = try await made(dotEnv: "LATCHKEY_ENV=uat\nLATCHKEY_SECRETS_DIR=mine\n", "LATCHKEY_ENV=")
        #expect(!emptied.isSuccess)
    }

    @Test(arguments: [
        ("mkdir -m 755 mine;", "chmod 700"), ("mkdir -m 710 mine;", "chmod 700"),
        ("mkdir -m 700 other && ln -s other mine;", "is a link"),
    ])
    func `deploy/secrets refuses a folder that others can enter, and a link`(
        preparation: String, says: String
    ) async throws {
        let made = try await made(dotEnv: "LATCHKEY_ENV=uat\nLATCHKEY_SECRETS_DIR=mine\n", preparation)
        #expect(!made.isSuccess && made.output.contains(says), "\(made.output)")
    }

    /// The settings, the operator's own file, and the files that the line lists after docker-compose.yml, by their short names.
    @Test(arguments: [
        ("LATCHKEY_ENV=uat", "", ""), ("LATCHKEY_ENV=production", "", "production"),
        ("LATCHKEY_ENV=production\nLATCHKEY_TLS_DIR=/tls", "", "production tls"),
        ("LATCHKEY_TLS_DIR=$HOME/tls\nLATCHKEY_ENV=uat", "override.yml", "tls override"),
        ("LATCHKEY_ENV=uat\nLATCHKEY_TLS_PORT=443", "", "tls"),
        ("OTP_SENDER=webhook,twilio-verify\nLATCHKEY_ENV=uat", "", "twilio"),
        (
            "OTP_SENDER=twilio-verify-managed\nMAIL_SENDER=smtp\nLATCHKEY_ENV='production' # ours", "",
            "production twilio smtp"
        ),
        ("MAIL_SENDER: resend\nLATCHKEY_ENV: uat\r", "", "resend"),
        ("OTP_SENDER=webhook\nMAIL_SENDER=none\nLATCHKEY_ENV=uat", "override.yaml", "override"),
        ("LATCHKEY_ENV=production\nLATCHKEY_TLS_DIR=\n# OTP_SENDER=twilio-verify", "", "production"),
    ])
    func `a missing COMPOSE_FILE is written from the settings`(
        settings: String, own: String, files: String
    ) async throws {
        let made = try await made(
            dotEnv: "LATCHKEY_SECRETS_DIR=mine\n" + settings,
            "\(own.isEmpty ? "" : "touch docker-compose.\(own);") deploy/secrets --for production >/dev/null 2>&1; cat .env;"
        )
        let expected = files.split(separator: " ").map {
            $0 == "override" ? "docker-compose.\(own)" : "deploy/compose.\($0).yaml"
        }
        let line = (["COMPOSE_FILE=docker-compose.yml"] + expected).joined(separator: ":")
        #expect(
            made.output.split(whereSeparator: \.isNewline).map(String.init).filter { $0.contains("COMPOSE_FILE=") } == [
                line
            ],
            "\(made.output)")
    }

    @Test(arguments: ["COMPOSE_FILE=docker-compose.yml", "export COMPOSE_FILE=mine.yml", "COMPOSE_FILE="])
    func `a line COMPOSE_FILE is never changed`(line: String) async throws {
        let dotEnv = "LATCHKEY_ENV=production\nLATCHKEY_SECRETS_DIR=mine\n\(line)\n"
        let made = try await made(
            dotEnv: dotEnv, "deploy/secrets --for production >/dev/null 2>&1; cat .env; echo end;")
        #expect(made.output.hasPrefix(dotEnv + "end\n"), "\(made.output)")
        #expect(made.output.contains("the settings need deploy/compose.production.yaml"), "\(made.output)")
    }

    @Test func `nothing is written into .env while COMPOSE_FILE is set in the environment, or by --help`() async throws
    {
        let dotEnv = "LATCHKEY_ENV=uat\nLATCHKEY_SECRETS_DIR=mine\n"
        let made = try await made(
            dotEnv: dotEnv,
            "deploy/secrets --for production --help; ls -d mine; COMPOSE_FILE=a.yml deploy/secrets >/dev/null 2>&1; cat .env; echo end;"
        )
        #expect(
            made.output.contains(dotEnv + "end\n") && made.output.contains("COMPOSE_FILE, it adds one"),
            "\(made.output)")
        #expect(made.output.contains("cannot access 'mine'"), "\(made.output)")
    }

    /// Lines of `.env`, and what deploy/check-env says about them; nothing if they are right.
    @Test(arguments: [
        (
            "TOKEN_DATABASE_URL=postgres://t@db/l",
            "TOKEN_DATABASE_URL reaches no container: add deploy/compose.external-postgres.yaml"
        ),
        ("TWILIO_FROM=+15005550006", "TWILIO_FROM reaches no container: add deploy/compose.twilio.yaml"),
        ("APPLE_TEAM_ID=ABCDE12345", "APPLE_TEAM_ID reaches no container: add deploy/compose.apple.yaml"),
        ("LATCHKEY_UPSTRAEM=http://app", "LATCHKEY_UPSTRAEM reaches no container: no file of COMPOSE_FILE mentions it"),
        // The file sets it to a value of its own.
        ("LATCHKEY_LISTEN=0.0.0.0:1", "LATCHKEY_LISTEN reaches no container"),
        ("REDIS_URL=redis://other", "REDIS_URL reaches no container"),
        ("OTP_SENDER=twilio-verify", "the settings need deploy/compose.twilio.yaml"),
        ("COMPOSE_FILE=docker-compose.yml:gone.yaml", "COMPOSE_FILE lists gone.yaml, which does not exist"),
        ("LATCHKEY_PORT=80\nSMTP_HOST=mail\nexport LATCHKEY_BIND=0.0.0.0\nOTP_REPLICAS: 2", ""),
        ("APPLE_TEAM_ID=A\nAPPLE_KEY_ID=B\nCOMPOSE_FILE=docker-compose.yml:deploy/compose.apple.yaml", ""),
        ("MINE=1\nCOMPOSE_PROJECT_NAME=other\n# TWILIO_FROM=no", ""),
    ])
    func `deploy/check-env names what reaches no container`(lines: String, says: String) async throws {
        let made = try await made(
            dotEnv: "LATCHKEY_ENV=uat\nLATCHKEY_SECRETS_DIR=mine\nCOMPOSE_FILE=docker-compose.yml\n\(lines)\n",
            "deploy/check-env > said; echo status $? >> said; cat said; rm said;")
        let isRight = made.output.hasPrefix("status 0\n")
        #expect(isRight == says.isEmpty && made.output.contains(says), "\(made.output)")
    }

    @Test(arguments: [
        "environment: [TWILIO_FROM]", "environment:\n      - TWILIO_FROM", "env_file: .env",
        "environment: {A: $TWILIO_FROM}",
    ])
    func `a variable that the operator's own file passes reaches a container`(own: String) async throws {
        let made = try await made(
            dotEnv: "LATCHKEY_ENV=uat\nLATCHKEY_SECRETS_DIR=mine\nTWILIO_FROM=+1\n",
            "printf 'services:\n  otp:\n    \(own)\n' > docker-compose.override.yml;")
        #expect(made.isSuccess && !made.output.contains("reaches no container"), "\(made.output)")
    }

    /// A release is one file with a link for each program.
    @Test func `deploy/secrets finds a latchkeyctl that is a link to the file of all programs`() async throws {
        let made = try await made(
            dotEnv: "LATCHKEY_ENV=uat\nLATCHKEY_SECRETS_DIR=mine\n",
            """
            root=\(LatchkeyStack.root); configuration=debug; [[ ! -x $root/.build/release/latchkey ]] || configuration=release
            . $root/deploy/lib/build.sh; export LATCHKEY_BIN_DIR=$(link_processes $configuration)
            readlink $LATCHKEY_BIN_DIR/latchkeyctl; mkdir none; export PATH=$PWD/none:/usr/bin:/bin;
            """)
        #expect(made.isSuccess && made.output.hasPrefix("latchkey\n"), "\(made.output)")
        #expect(!made.output.contains("building"), "\(made.output)")
    }
}
