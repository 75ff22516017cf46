import Configuration
import Foundation
import ServiceKit
import TestSupport
import Testing

@testable import CopyTargets

@Suite struct CopyCredentialsTests {
    /// Reads variables, and secret files with these texts.
    private func credentials(
        _ variables: [String: String], secrets: [String: String] = [:], mode: Int = 0o600,
        _ check: (CopyCredentials, String) throws -> Void = { _, _ in }
    ) async throws {
        try await withScratchFolder { folder in
            for (name, text) in secrets {
                let path = "\(folder)/data/\(name)"
                try Data(text.utf8).write(to: URL(filePath: path))
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
            let all = variables.merging(["LATCHKEY_SECRETS_DIR": "\(folder)/data", "LATCHKEY_ENV": "production"]) { $1 }
            let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: all))
            try check(CopyCredentials(reader), "\(folder)/data")
        }
    }

    @Test func `a folder needs no credentials`() async throws {
        try await credentials([:]) { credentials, _ in
            #expect(credentials.s3 == nil && credentials.sftpKeyFile == nil && credentials.authorities == nil)
        }
    }

    @Test func `keys come from secret files, and are never printed`() async throws {
        let secrets = [
            "copy_s3_secret_key": "hunter2\n", "copy_s3_session_token": "hunter3\n", "copy_sftp_key": "hunter4\n",
        ]
        let variables = ["LATCHKEY_COPY_S3_KEY_ID": "AKIDEXAMPLE", "LATCHKEY_COPY_SFTP_HOST_KEY": "SHA256:x"]
        try await credentials(variables, secrets: secrets) { credentials, folder in
            let keys = try #require(credentials.s3)
            #expect((keys.id, keys.secret.value, keys.sessionToken?.value) == ("AKIDEXAMPLE", "hunter2", "hunter3"))
            #expect(credentials.sftpKeyFile == "\(folder)/copy_sftp_key" && credentials.sftpHostKey == "SHA256:x")
            #expect(!"\(credentials)".contains("hunter"))
        }
    }

    @Test func `a missing, exposed or empty secret is refused`() async throws {
        let variables = ["LATCHKEY_COPY_S3_KEY_ID": "AKIDEXAMPLE"]
        await #expect(throws: SettingsError.self) { try await credentials(variables) }
        await #expect(throws: SettingsError.self) {
            try await credentials(variables, secrets: ["copy_s3_secret_key": ""])
        }
        await #expect(throws: SettingsError.self) {
            try await credentials(variables, secrets: ["copy_s3_secret_key": "hunter2"], mode: 0o666)
        }
        await #expect(throws: SettingsError.self) {
            try await credentials([:], secrets: ["copy_sftp_key": "hunter4"], mode: 0o666)
        }
        await #expect(throws: SettingsError.self) { try await credentials(["LATCHKEY_CA_FILE": "/none"]) }
    }
}
