import Foundation
import TestSupport
import Testing

extension Live {
    /// Settings as a new operator may get them wrong, and what the programs say to it.
    ///
    /// `Tests/Vectors/Operators/wrong-settings.txt` is the listing; `LATCHKEY_WRITE_GOLDEN=1` writes it again.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct WrongSettingsTests {
        /// A command line, as an operator would type it. `$FOLDER` has a copy of nothing but the secrets of a deployment.
        private static let commands = [
            // deploy/run and its supervisor
            "deploy/run --port 8080",
            "LATCHKEY_FAKES=yes deploy/run",
            "LATCHKEY_BUILD=fast deploy/run",
            "LATCHKEY_BIN_DIR=/nowhere deploy/run",
            "LATCHKEY_ENV=prod deploy/run",
            "LATCHKEY_PORT=http LATCHKEY_INBOX_PORT=-1 LATCHKEY_TLS_PORT=443s deploy/run",
            "LATCHKEY_REDIS_MEMORY_MB=64mb deploy/run",
            "LATCHKEY_UPSTREAM=localhost:3000 deploy/run",
            "LATCHKEY_REPLICAS=opt=2 deploy/run",
            "LATCHKEY_BIND=wlan deploy/run",
            "LATCHKEY_DATA_DIR=/proc/x deploy/run",
            "LATCHKEY_DATA_DIR=/etc/passwd deploy/run",
            "LATCHKEY_ENV=production LATCHKEY_FAKES=1 LATCHKEY_BIND=lan LATCHKEY_TLS_PORT=443 deploy/run",
            "LATCHKEY_POLICI=mine LATCHKEY_PORT=http deploy/run",
            // every process
            "otp-service --port 8081",
            "LATCHKEY_POLICY=howrou otp-service",
            "LATCHKEY_POLICY=./mine.yaml otp-service",
            "LATCHKEY_POLICIES_DIR=/nowhere otp-service",
            "LATCHKEY_LISTEN=8081 LATCHKEY_LOG_LEVEL=verbose LATCHKEY_LIMIT_LOCAL=yes otp-service",
            "LATCHKEY_LISTEN=none otp-service",
            "LATCHKEY_SECRETS_DIR=/nowhere otp-service",
            "OTP_HMAC_KEY_FILE=/nowhere/key otp-service",
            "REDIS_URL=redis://:password@localhost otp-service",
            "LATCHKEY_ENV=production otp-service",
            "LATCHKEY_ENV=production inbox",
            // codes and mail
            "OTP_SENDER=twillio-verify otp-service",
            "OTP_SENDER=inbox,inbox otp-service",
            "OTP_SENDER=webhook otp-service",
            "OTP_SENDER=webhook SMS_HOOK_URL=hooks.example.com otp-service",
            "OTP_SENDER=twilio-verify otp-service",
            "OTP_SENDER=twilio-messaging TWILIO_ACCOUNT_SID=me TWILIO_FROM=+44 otp-service",
            "TWILIO_AUTH_TOKEN=secret otp-service",
            "MAIL_SENDER=sendgrid otp-service",
            "MAIL_SENDER=resend RESEND_URL=api.resend.com otp-service",
            "MAIL_SENDER=smtp SMTP_PORT=smtps SMTP_CA_FILE=/nowhere.pem MAIL_FROM=login otp-service",
            "INBOX_URL=localhost:8025 otp-service",
            "LATCHKEY_PUBLIC_URL=auth.example.com otp-service",
            // users and tokens
            "LATCHKEY_DATA_DIR=/nowhere token-service",
            "LATCHKEY_DATA_DIR=/nowhere LATCHKEY_DECISIONS_DIR=/nowhere OTP_URL=otp:8081 user-service",
            "LATCHKEY_POLICY=voltyks LATCHKEY_DATA_DIR=$FOLDER MAIL_SENDER=inbox PASSWORD_THREADS=9 user-service",
            "LATCHKEY_DATA_DIR=$FOLDER USER_HOOK_URL=hooks.example.com token-service",
            "LATCHKEY_DATA_DIR=$FOLDER USER_HOOK_URL=ftp://hooks.example.com user-service",
            "LATCHKEY_POLICY=howru LATCHKEY_DATA_DIR=$FOLDER APPLE_URL=appleid.apple.com user-service",
            "LATCHKEY_POLICY=howru LATCHKEY_DATA_DIR=$FOLDER APPLE_TEAM_ID=TEAM123456 user-service",
            "LATCHKEY_POLICY=howru LATCHKEY_DATA_DIR=$FOLDER APPLE_TEAM_ID=me APPLE_KEY_ID=KEY1234567 user-service",
            // the edge
            "LATCHKEY_UPSTREAM=localhost:3000 TOKEN_URL=token:8082 gateway",
            "LATCHKEY_UPSTREAM=https://api.example.com LATCHKEY_UPSTREAM_CA=/nowhere.pem gateway",
            "LATCHKEY_MEMORY_MB=1G gateway",
            "LATCHKEY_MEMORY_MB=64 gateway",
            "LATCHKEY_TRUSTED_PROXIES=10.0.0.0/33 gateway",
            "LATCHKEY_PROXY_PROTOCOL=1 gateway",
            "LATCHKEY_PLAIN=redirect gateway",
            "LATCHKEY_LISTEN=none gateway",
            "LATCHKEY_TLS_LISTEN=127.0.0.1:0 LATCHKEY_TLS_DIR=/nowhere gateway",
            "LATCHKEY_TLS_LISTEN=8443 LATCHKEY_PLAIN=off gateway",
            "LATCHKEY_LISTEN=192.0.2.1:8025 LATCHKEY_OPS_LISTEN=127.0.0.1:0 inbox",
            "LATCHKEY_LISTEN=127.0.0.1:$PORT LATCHKEY_OPS_LISTEN=127.0.0.1:0 inbox",
            // latchkeyctl
            "latchkeyctl users find",
            "latchkeyctl users fnid +15551234567",
            "LATCHKEY_SECRETS_DIR=/nowhere latchkeyctl users find +15551234567",
            "USER_URL=http://127.0.0.1:1 latchkeyctl users find +15551234567",
            "latchkeyctl audit list --event user.rigths_changed --service user",
            "latchkeyctl keys import /nowhere.pem --kid k1 --algorithm RS256",
            "latchkeyctl secrets init /proc/x",
        ]

        /// Runs all commands and returns the listing: each with what it printed and how it ended.
        private func listing() async throws -> String {
            let folder = FileManager.default.temporaryDirectory.path + "/latchkey-\(UUID().uuidString.prefix(13))"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let lines = Self.commands.map { command in
                """
                echo '$ \(command)'
                ( \(Self.assignments(of: command)) ) 2>&1; echo "=> $?"; echo
                """
            }
            let outcome = try await Shell.run(
                """
                export PATH="$BUILT:$PATH" LATCHKEY_BIN_DIR="$BUILT" LATCHKEY_POLICIES_DIR="$PWD/deploy/policies"
                export LATCHKEY_DATA_DIR="$FOLDER/data" LATCHKEY_SECRETS_DIR="$FOLDER/secrets"
                unset LATCHKEY_WRITE_GOLDEN
                latchkeyctl secrets init "$FOLDER/secrets" > /dev/null
                rm "$FOLDER/secrets/sms_hook_secret"
                # Something that listens.
                python3 -c 'import socket,sys,time
                s=socket.socket(); s.bind(("127.0.0.1",int(sys.argv[1]))); s.listen(); time.sleep(200)' "$PORT" &
                LISTENER=$!; trap 'kill $LISTENER' EXIT; sleep 0.5
                \(lines.joined(separator: "\n"))
                """, in: LatchkeyStack.root,
                environment: [
                    "FOLDER": folder, "BUILT": LatchkeyStack.binaries, "PORT": "\(try await FreePort.find())",
                ])
            let logLine = "{\"time\""
            return outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.hasPrefix(logLine) }.joined(separator: "\n")
                .replacing(folder, with: "$FOLDER")
                .replacing(LatchkeyStack.root, with: "")
                .replacing(LatchkeyStack.binaries, with: "$BUILT")
                .replacing(#/127\.0\.0\.1:\d{5}\b/#, with: "127.0.0.1:$PORT")
        }

        /// The command with a limit on its time.
        private static func assignments(of command: String) -> String {
            let words = command.split(separator: " ")
            let variables = words.prefix { $0.prefix { $0 != "=" }.allSatisfy { $0.isUppercase || $0 == "_" } }
            return (variables + ["timeout 20"] + words.dropFirst(variables.count)).joined(separator: " ")
        }

        @Test func `each wrong setting is refused with a line that says what to do`() async throws {
            let listing = try await listing()
            let file = LatchkeyStack.root + "Tests/Vectors/Operators/wrong-settings.txt"
            if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_GOLDEN"] == "1" {
                try listing.write(toFile: file, atomically: true, encoding: .utf8)
            }
            let golden = try String(contentsOfFile: file, encoding: .utf8)
            for (now, before) in zip(listing.components(separatedBy: "\n$ "), golden.components(separatedBy: "\n$ ")) {
                #expect(now == before)
            }
            #expect(listing.count == golden.count)
            // Nothing of the system below shows through.
            for raw in ["Domain=", "errno", "NSError", ": line ", "Fatal", "No such file or directory\n", "Swift."] {
                #expect(!listing.contains(raw), "\(raw)")
            }
            #expect(!listing.contains("=> 0\n") && !listing.contains("=> 124\n") && !listing.contains("=> 127\n"))
        }
    }
}
