import Configuration
import CryptoPrimitives
import Foundation
import PrivateFiles
import Testing

@testable import ServiceKit

@Suite struct SecretFileTests {
    private let ring = "k1 " + Hex.encode(SecureRandom.bytes(32))

    /// Runs `body` with a folder of secrets that has one file.
    private func withSecret(
        _ bytes: [UInt8], isCredential: Bool = false, _ body: (SecretsDirectory) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(FileManager.default.createFile(atPath: folder + "/s", contents: Data(bytes)))
        let variables = isCredential ? ["CREDENTIALS_DIRECTORY": folder] : [:]
        let environment = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        try body(SecretsDirectory(directory: folder, environment: environment))
    }

    @Test(arguments: ["secret", "secret\n", "secret\r\n", "secret\r", "secret\n\n", "secret\r\n\r\n"])
    func `line ends at the end are not part of a one-line secret`(text: String) throws {
        try withSecret(Array(text.utf8)) { secrets throws in
            #expect(try secrets.password("s")?.value == "secret")
        }
    }

    @Test func `systemd passes an optional secret without a file as a line end`() throws {
        try withSecret(Array("\n".utf8), isCredential: true) { secrets throws in
            #expect(try secrets.password("s") == nil)
            #expect(try secrets.optionalText("s") == nil && secrets.optionalKeyRing("s") == nil)
            #expect(throws: SettingsError.self) { try secrets.keyRing("s") }
        }
        try withSecret(Array("a\n".utf8), isCredential: true) { secrets throws in
            #expect(try secrets.password("s")?.value == "a")
        }
        for text in ["", "\n\n", "one\ntwo"] {
            try withSecret(Array(text.utf8), isCredential: true) { secrets in
                #expect(throws: SettingsError.self) { try secrets.password("s") }
            }
        }
    }

    @Test func `blanks are part of it`() throws {
        try withSecret(Array(" a b \n".utf8)) { secrets throws in
            #expect(try secrets.password("s")?.value == " a b ")
        }
    }

    @Test(arguments: [
        ("", "is empty"), ("\n", "is empty"), ("\r\n", "is empty"), ("one\ntwo", "line end inside"),
        ("one\r\ntwo\r\n", "line end inside"), ("one\rtwo", "line end inside"), ("\none", "line end inside"),
        ("\u{FEFF}secret\n", "byte order mark"), ("a\0b", "NUL"),
    ])
    func `what would silently become part of a secret stops the start and says so`(text: String, says: String) throws {
        try withSecret(Array(text.utf8)) { secrets in
            let error = #expect(throws: SettingsError.self) { try secrets.password("s") }
            #expect(error?.description.contains(says) == true && error?.description.contains("/s") == true)
            #expect(text.count < 3 || error?.description.contains(text) == false)
        }
    }

    @Test(
        arguments: [[0xFF, 0xFE, 0x61, 0], [0xFE, 0xFF, 0, 0x61], [0x61, 0xFF], [0xEF, 0xBB, 0xBF, 0x61]] as [[UInt8]])
    func `other encodings are refused for every kind of secret`(bytes: [UInt8]) throws {
        try withSecret(bytes) { secrets in
            #expect(throws: SettingsError.self) { try secrets.password("s") }
            #expect(throws: SettingsError.self) { try secrets.keyRing("s") }
            #expect(throws: SettingsError.self) { try secrets.optionalText("s") }
        }
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func `lines of key rings and tokens end in any way`(end: String) throws {
        let other = "k2 " + Hex.encode(SecureRandom.bytes(32))
        try withSecret(Array("\(ring)\(end)\(other)\(end)".utf8)) { secrets throws in
            #expect(try secrets.keyRing("s").all.map(\.id) == ["k1", "k2"])
            #expect(try secrets.optionalText("s")?.value == "\(ring)\n\(other)")
        }
    }

    @Test func `a file that is too long is refused`() throws {
        try withSecret([UInt8](repeating: 0x61, count: SecretText.bytesMax + 1)) { secrets in
            #expect(throws: SettingsError.self) { try secrets.password("s") }
        }
    }
}
