/// The variables of Latchkey's programs.
package enum Settings {
    /// Variables of the processes.
    package static let all = common + own

    /// Returns the variables of a single process, without those of every process.
    package static func own(_ process: String) -> [Setting] { own.filter { $0.processes.contains(process) } }

    /// Variables of the supervisor, which `deploy/run` starts.
    package static let supervisor: [Setting] = [
        all["LATCHKEY_ENV"], Setting("LATCHKEY_PORT", "the gateway's port on 127.0.0.1", .port, default: "8080"),
        all["LATCHKEY_POLICY"], all["LATCHKEY_POLICIES_DIR"], all["LATCHKEY_APP_NAME"],
        Setting(
            "LATCHKEY_DATA_DIR", "the folder of databases, secrets, logs and process ids", .text(""),
            default: ".latchkey"),
        Setting(
            "LATCHKEY_UPSTREAM", "your API; required in production",
            .text("a URL such as `http://127.0.0.1:3000` or `unix:///run/api.sock`"), unset: "the sample API"),
        Setting("LATCHKEY_INBOX_PORT", "the inbox's port on 127.0.0.1", .port, default: "8025"),
        Setting(
            "LATCHKEY_REDIS_PORT",
            "the port of its Redis on 127.0.0.1; Latchkey itself uses the socket file `run/redis.sock` in the data "
                + "directory, unless that path has more than 103 bytes", .port, default: "0"),
        Setting(
            "LATCHKEY_REDIS_MEMORY_MB", "the memory of its Redis", .integer(16...65_536, of: "megabytes"),
            default: "128"),
        Setting(
            "LATCHKEY_REPLICAS", "how many of each service", .text("pairs such as `otp=2,token=2`"), unset: "one each"),
        Setting(
            "LATCHKEY_BIND",
            "lets [phones in the same network](../start/phones.md) reach the gateway; not in production",
            .choice(["lan"]), unset: "only this machine"),
        Setting(
            "LATCHKEY_COPY_TO",
            "the target of the [continuous copy](../run/backup.md#continuous-copy); also read by `latchkeyctl copy`",
            .text("a folder, `sftp://…` or `s3://…`"), unset: "no copy"),
        Setting(
            "LATCHKEY_COPY_KEY_FILE", "the file with the key of the copy; also read by `latchkeyctl copy`", .text("")),
        Setting(
            "LATCHKEY_COPY_KEEP", "how long the copy's moments can be restored; also read by `latchkeyctl copy`",
            .text("a span such as `12h` or `7d`, at most `400d`"), default: "7d"),
        Setting(
            "LATCHKEY_COPY_S3_KEY_ID",
            "the access key's id for a copy to S3; its secret is `copy_s3_secret_key`, and for temporary keys also "
                + "`copy_s3_session_token`", .text("a key's id")),
        Setting(
            "LATCHKEY_COPY_SFTP_HOST_KEY",
            "the fingerprint of the SFTP server's host key; the private key is the secret `copy_sftp_key`, an Ed25519 or ECDSA "
                + "key without passphrase", .text("`SHA256:…`, as `ssh-keygen -l` prints it")),
        Setting("LATCHKEY_TLS_PORT", "the gateway's port for https on 127.0.0.1", .port, unset: "no https"),
        Setting(
            "LATCHKEY_TLS_DIR", "the folder of its [certificates](../run/tls.md); needed in production",
            .text(""), unset: "one from [this machine's own authority](../start/phones.md#over-https)"),
        Setting(
            "LATCHKEY_FAKES",
            "`latchkey-fakes` play the [mail providers](../run/mail.md#without-a-provider), Twilio, [Apple and an OpenID "
                + "Connect provider](../app/providers.md); not in production", .flag, default: "0"),
        Setting(
            "LATCHKEY_CONSOLE", "starts the [console](../run/console.md), which the policy's `admin.console` shows",
            .flag,
            default: "0"),
    ]

    /// Variables of `deploy/run` itself.
    package static let run = [
        Setting("LATCHKEY_BUILD", "the build", .choice(["release", "debug"]), default: "release"),
        Setting("LATCHKEY_BIN_DIR", "a folder of built programs; then nothing is built", .text("")),
    ]

    /// Every variable of ours that begins with `LATCHKEY_`.
    package static let ours = Set((all + supervisor + run).map(\.name).filter { $0.hasPrefix("LATCHKEY_") })
        .union(deployment).union(tests)

    /// The variables that docker-compose.yml, latchkeyctl and the scripts in deploy/ read, and the mark of the supervisor's processes.
    private static let deployment: Set = [
        "LATCHKEY_BACKUP_DIR", "LATCHKEY_BENCH_DIR", "LATCHKEY_BENCH_ENVOY", "LATCHKEY_CA_DIR", "LATCHKEY_COPY_DIR",
        "LATCHKEY_DATABASE_CA_DIR", "LATCHKEY_DATABASE_OWNER", "LATCHKEY_IMAGE", "LATCHKEY_INTERNAL_TLS_DIR",
        "LATCHKEY_OPERATOR", "LATCHKEY_SUPERVISED_DATA_DIR", "LATCHKEY_TAG",
    ]

    /// The variables that the tests read.
    private static let tests: Set = [
        "LATCHKEY_CUTS_EVERY", "LATCHKEY_FAULT_KIND", "LATCHKEY_FAULT_OPERATION", "LATCHKEY_FAULT_ROUNDS",
        "LATCHKEY_FAULT_SEED", "LATCHKEY_INBOX_PICTURE", "LATCHKEY_LONG_TESTS", "LATCHKEY_PAGE_PICTURES",
        "LATCHKEY_TEST_ENGINE", "LATCHKEY_TEST_FACTORS", "LATCHKEY_WRITE_GOLDEN", "LATCHKEY_WRITE_RELEASE",
    ]
}
