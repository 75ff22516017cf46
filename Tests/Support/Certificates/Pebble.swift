import FoundationEssentials

/// Debian's `pebble`: an authority that issues certificates by ACME (RFC 8555), and verifies every host at 127.0.0.1.
package struct Pebble: Sendable {
    /// The ports of the loopback at which it looks for the answers to challenges.
    package struct Validation: Sendable {
        let http: Int
        let tls: Int

        package init(http: Int, tls: Int) { (self.http, self.tls) = (http, tls) }
    }

    /// The URL of its directory.
    package let directory: String
    /// The authority of the directory's own https (PEM).
    package let authority: String
    private let folder: String
    private let management: Int

    /// Runs `body` with an authority that has issued nothing yet.
    package static func run(
        _ validation: Validation, in folder: String, _ body: (Pebble) async throws -> Void
    ) async throws {
        let (port, management, names) = (
            try await FreePort.find(), try await FreePort.find(), try await FreePort.find()
        )
        let issuer = try await TestAuthority.make("pebble-authority", in: folder)
        let own = try await issuer.issue("pebble", .init(names: ["localhost", "127.0.0.1"]))
        let configuration = """
            {"pebble":{"listenAddress":"127.0.0.1:\(port)","managementListenAddress":"127.0.0.1:\(management)",
            "certificate":"\(own.certificate)","privateKey":"\(own.key)","httpPort":\(validation.http),
            "tlsPort":\(validation.tls),"ocspResponderURL":"","externalAccountBindingRequired":false}}
            """
        try configuration.write(toFile: folder + "/pebble.json", atomically: true, encoding: .utf8)
        let dns =
            "pebble-challtestsrv -defaultIPv6 '' -dns01 127.0.0.1:\(names) -management 127.0.0.1:0"
            + " -http01 '' -https01 '' -tlsalpn01 ''"
        let pebble = Pebble(
            directory: "https://localhost:\(port)/dir", authority: issuer.certificate, folder: folder,
            management: management)
        try await shell(dns, log: folder + "/dns.log") {
            let server = "pebble -config '\(folder)/pebble.json' -dnsserver 127.0.0.1:\(names) -strict"
            try await shell("PEBBLE_VA_NOSLEEP=1 exec \(server)", log: folder + "/pebble.log") {
                try await eventually("pebble runs") { try await pebble.curl(pebble.directory).isSuccess }
                try await body(pebble)
            }
        }
    }

    /// Writes the root of the certificates that it issues into a file, and returns the file's path.
    package func root() async throws -> String {
        let answer = try await curl("https://localhost:\(management)/roots/0")
        guard answer.isSuccess else { throw TestAuthority.Failure(description: answer.output) }
        let file = folder + "/pebble-root.crt"
        try answer.output.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    private func curl(_ url: String) async throws -> Shell.Outcome {
        try await Shell.run("curl -sf --cacert '\(authority)' \(url)", in: folder)
    }

    /// Runs a command while `body` runs. Its output goes to a file, since nothing reads a pipe.
    private static func shell(_ command: String, log: String, _ body: () async throws -> Void) async throws {
        let script = command.contains("exec ") ? command : "exec " + command
        let process = ChildProcess(executable: "/bin/sh", arguments: ["-c", "\(script) >'\(log)' 2>&1"])
        try await process.run { _, _ in try await body() }
    }
}
