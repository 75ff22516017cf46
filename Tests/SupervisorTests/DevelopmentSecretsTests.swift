import FoundationEssentials
import SupervisorCore
import Testing

@Suite struct DevelopmentSecretsTests {
    private let folder = FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString

    private func inFolder(_ body: () throws -> Void) throws {
        let data = DataDirectory(folder)
        try data.create()
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try body()
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: DataDirectory(folder).secrets + "/" + name, encoding: .utf8)
    }

    @Test func `missing ones are made for their owner alone and kept from then on`() throws {
        try inFolder {
            let secrets = DataDirectory(folder).secrets
            try DevelopmentSecrets.complete(in: secrets, environment: .development) {
                .init(repeating: 0xAB, count: $0)
            }
            let line = String(repeating: "ab", count: 32)
            #expect(try text("grant_user_token") == "k1 \(line)\n")
            #expect(try text("redis_otp") == "\(line)\n")
            #expect(try mode(secrets + "/jwt_hs256") == 0o600)
            #expect(try mode(secrets) == 0o700)
            #expect(try mode(folder) == 0o700)
            try DevelopmentSecrets.complete(in: secrets, environment: .uat) { .init(repeating: 1, count: $0) }
            #expect(try text("grant_user_token") == "k1 \(line)\n")
        }
    }

    @Test func `production invents none and names what is missing`() throws {
        try inFolder {
            let secrets = DataDirectory(folder).secrets
            let failure = #expect(throws: StartFailure.self) {
                try DevelopmentSecrets.complete(in: secrets, environment: .production) {
                    .init(repeating: 1, count: $0)
                }
            }
            #expect(failure?.description.contains("token_storage_key") == true)
            #expect(failure?.description.contains("latchkeyctl secrets init --for production") == true)
            let names = try FileManager.default.contentsOfDirectory(atPath: secrets)
            #expect(names.isEmpty)
        }
    }

    @Test func `nothing that has a secret's name is touched, be it empty or a link that leads nowhere`() throws {
        try inFolder {
            let secrets = DataDirectory(folder).secrets
            try "".write(toFile: secrets + "/jwt_hs256", atomically: true, encoding: .utf8)
            try FileManager.default.createSymbolicLink(
                atPath: secrets + "/redis_otp", withDestinationPath: secrets + "/nowhere")
            let made = try SecretsFolder(secrets).complete(Manifest.madeSecrets) { .init(repeating: 3, count: $0) }
            #expect(made.count == Manifest.madeSecrets.count - 2)
            #expect(try text("jwt_hs256").isEmpty)
            #expect(!FileManager.default.fileExists(atPath: secrets + "/nowhere"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: secrets).allSatisfy { !$0.hasSuffix(".new") })
        }
    }

    @Test func `Redis passwords are read by user`() throws {
        try inFolder {
            let secrets = DataDirectory(folder).secrets
            try DevelopmentSecrets.complete(in: secrets, environment: .development) { .init(repeating: 2, count: $0) }
            let folder = SecretsFolder(secrets)
            let passwords = try folder.redisPasswords()
            let users = ["functions", "gateway", "operator", "otp", "replica", "sentinel", "token", "user"]
            #expect(passwords.keys.sorted() == users)
            #expect(passwords["user"] == String(repeating: "02", count: 32))
            try "secret\r\n".write(toFile: secrets + "/redis_user", atomically: true, encoding: .utf8)
            #expect(try folder.redisPasswords()["user"] == "secret")
            for wrong in ["\n", "one\ntwo\n", "\u{FEFF}secret\n"] {
                try wrong.write(toFile: secrets + "/redis_user", atomically: true, encoding: .utf8)
                #expect(throws: StartFailure.self) { try folder.redisPasswords() }
            }
        }
    }
}
