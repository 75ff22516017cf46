import FoundationEssentials

/// A server over https that answers a GET of `/dir` with the bytes of a file, whatever they are.
package struct LyingDirectory: Sendable {
    package let url: String
    /// The authority of its certificate (PEM).
    package let authority: String

    /// Runs `body` with a server that sends these bytes, a whole HTTP response.
    package static func run(
        sending response: String, in folder: String, _ body: (LyingDirectory) async throws -> Void
    ) async throws {
        let port = try await FreePort.find()
        let issuer = try await TestAuthority.make("lying-authority", in: folder)
        let own = try await issuer.issue("lying", .init(names: ["localhost", "127.0.0.1"]))
        try response.write(toFile: folder + "/dir", atomically: true, encoding: .utf8)
        // With -HTTP, openssl sends a file as it is.
        let server = """
            cd '\(folder)' && exec openssl s_server -quiet -HTTP -accept 127.0.0.1:\(port) -cert '\(own.certificate)' \
            -key '\(own.key)' >lying.log 2>&1
            """
        let directory = LyingDirectory(url: "https://localhost:\(port)/dir", authority: issuer.certificate)
        try await ChildProcess(executable: "/bin/sh", arguments: ["-c", server]).run { _, _ in
            try await eventually("the directory listens") {
                try await Shell.run("exec 3<>/dev/tcp/127.0.0.1/\(port)", in: "/").isSuccess
            }
            try await body(directory)
        }
    }
}
