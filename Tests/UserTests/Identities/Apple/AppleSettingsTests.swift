import AccessTokens
import Configuration
import CryptoPrimitives
import Foundation
import ServiceKit
import Testing

@testable import UserCore

/// The deployment's key at Apple.
@Suite struct AppleSettingsTests {
    private static func pem(_ algorithm: SignatureAlgorithm = .ES256, _ label: String = "PRIVATE KEY") throws -> String
    {
        let key = try SigningKey.generate(keyID: "k", algorithm: algorithm)
        return
            "-----BEGIN \(label)-----\n\(Data(key.privateKeyDER).base64EncodedString(options: .lineLength64Characters))\n"
            + "-----END \(label)-----\n"
    }

    private func secret(team: String?, keyID: String?, pem: String?) throws -> AppleClientSecret? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "latchkey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { do { try FileManager.default.removeItem(at: folder) } catch {} }
        if let pem { try Data(pem.utf8).write(to: folder.appending(path: "apple_key")) }
        var variables = ["LATCHKEY_SECRETS_DIR": folder.path(percentEncoded: false)]
        (variables["APPLE_TEAM_ID"], variables["APPLE_KEY_ID"]) = (team, keyID)
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        return try AppleClientSecret(try ProcessSettings(name: "user", defaultPort: 8083, reader: reader))
    }

    private func problem(team: String?, keyID: String?, pem: String?) throws -> String? {
        do {
            _ = try secret(team: team, keyID: keyID, pem: pem)
            return nil
        } catch let error as SettingsError { return "\(error)" }
    }

    @Test func `with all three there is a key, and with none there is none`() throws {
        let secret = try #require(try secret(team: "TEAM123456", keyID: "KEY1234567", pem: try Self.pem()))
        #expect(secret.teamID == "TEAM123456" && secret.key.keyID == "KEY1234567")
        #expect(try self.secret(team: nil, keyID: nil, pem: nil) == nil)
    }

    @Test func `with some of them the missing one is named`() throws {
        let pem = try Self.pem()
        for (team, keyID, pem, missing) in [
            ("TEAM123456", nil, nil, "APPLE_KEY_ID"), (nil, "KEY1234567", nil, "APPLE_TEAM_ID"),
            (nil, nil, pem, "APPLE_TEAM_ID"), ("TEAM123456", "KEY1234567", nil, "secret apple_key"),
            ("TEAM123456", nil, pem, "APPLE_KEY_ID"),
        ] as [(String?, String?, String?, String)] {
            let problem = try #require(try problem(team: team, keyID: keyID, pem: pem))
            #expect(problem.contains(missing) && problem.contains("missing") && !problem.contains("\n"), "\(problem)")
        }
    }

    @Test func `only a P-256 key in PKCS#8 is accepted`() throws {
        for wrong in [
            try Self.pem(.RS256), try Self.pem(.EdDSA), try Self.pem(.ES256, "EC PRIVATE KEY"), "x",
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        ] {
            let problem = try #require(try problem(team: "TEAM123456", keyID: "KEY1234567", pem: wrong))
            #expect(problem.contains("P-256"), "\(problem)")
        }
    }

    @Test(arguments: ["", "me", "team123456", "TEAM12345!", "TEAM1234567"])
    func `an id that Apple cannot have issued is refused`(_ id: String) throws {
        #expect(try problem(team: id, keyID: "KEY1234567", pem: try Self.pem()) != nil)
        #expect(try problem(team: "TEAM123456", keyID: id, pem: try Self.pem()) != nil)
    }

    @Test func `a client secret is a short JWT of the team for the client`() throws {
        let key = try SigningKey.generate(keyID: "KEY1234567", algorithm: .ES256)
        let text = try AppleClientSecret(teamID: "TEAM123456", key: key).text(for: "com.example.app", now: 1_000)
        let token = try CompactJWS(Array(text.utf8))
        let claims = try ClaimReader(json: try token.payload(verifiedWith: key.verificationKey))
        #expect(token.header.keyID == "KEY1234567" && token.header.algorithm == .ES256)
        #expect(try claims.string("iss") == "TEAM123456" && claims.string("sub") == "com.example.app")
        #expect(try claims.string("aud") == "https://appleid.apple.com")
        #expect(try claims.integer("iat") == 1_000 && claims.integer("exp") == 1_300)
    }
}
