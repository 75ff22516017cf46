import Foundation
import TestSupport
import Testing

extension Live {
    /// A gateway by itself, with a folder of certificates that it cannot serve.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct TLSStartTests {
        /// Pins of unknown keys.
        private static let pins = [
            "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
        ]

        /// Starts it, and returns all that it says, with the status of its end in the last line.
        private func words(of folder: TLSFolderOfTests, policy: [String: String] = [:]) async throws -> String {
            let file = folder.authority.folder + "/policy.yaml"
            try PolicyText.howru(changing: policy).write(toFile: file, atomically: true, encoding: .utf8)
            let settings = [
                "LATCHKEY_ENV": "development", "LATCHKEY_POLICY": file,
                "LATCHKEY_POLICIES_DIR": LatchkeyStack.root + "deploy/policies", "LATCHKEY_LISTEN": "127.0.0.1:0",
                "LATCHKEY_OPS_LISTEN": "127.0.0.1:0", "LATCHKEY_TLS_LISTEN": "127.0.0.1:0",
                "LATCHKEY_TLS_DIR": folder.path,
            ]
            return try await Shell.run(
                "timeout 20 '\(LatchkeyStack.binaries)/gateway'; echo $?", in: "/", environment: settings
            ).output
        }

        @Test(arguments: [
            ("empty", "contains no certificate"), ("half", "default.crt is not PEM"),
            ("foreign", "/other: the key is of another"),
            ("weak", "/default: an RSA key of 1024 bits"), ("keyless", "/default: default.key is not there"),
            ("exposed", "/default: other users of this host can read"),
        ])
        func `a folder that cannot be served ends the start, with one line that says why`(
            kind: String, reason: String
        ) async throws {
            try await TLSFolderOfTests.run { folder in
                try await folder.fill(as: kind)
                let lines = try await words(of: folder).split(separator: "\n")
                #expect(lines.last == "78" && lines.count { $0.contains("LATCHKEY_TLS_DIR") } == 1, "\(lines)")
                let words = lines.first?.replacing("the folder ", with: "")
                #expect(words?.hasPrefix("gateway: LATCHKEY_TLS_DIR: \(folder.path)") == true, "\(lines)")
                #expect(lines.first?.contains(reason) == true, "\(lines)")
            }
        }

        @Test func `a pair whose key is not pinned ends the start, with its pin in the line`() async throws {
            try await TLSFolderOfTests.run { folder in
                let issued = try await folder.authority.issue("good")
                try issued.place(in: folder.path, as: "default")
                let pins = "    minimum: \"1.3\" \n    pins: [\"\(Self.pins[0])\", \"\(Self.pins[1])\"] "
                let lines = try await words(of: folder, policy: ["    minimum: \"1.3\"": pins]).split(separator: "\n")
                #expect(lines.last == "78" && lines.count { $0.contains("LATCHKEY_TLS_DIR") } == 1, "\(lines)")
                let reason = "/default: its key is not among the policy's edge.tls.pins: \(issued.pin)"
                #expect(lines.first?.hasSuffix(reason) == true, "\(lines)")
            }
        }
    }
}
