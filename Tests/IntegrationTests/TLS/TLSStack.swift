import Foundation
import TestSupport
import Testing

/// A folder of certificates, and the authority whose they are.
struct TLSFolderOfTests: Sendable {
    let path: String
    let authority: TestAuthority

    /// Runs `body` with an empty folder that goes again.
    static func run(_ body: (TLSFolderOfTests) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
            .path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let authority = try await TestAuthority.make(in: root)
        try FileManager.default.createDirectory(atPath: root + "/pairs", withIntermediateDirectories: true)
        try await body(TLSFolderOfTests(path: root + "/pairs", authority: authority))
    }

    /// Fills it with what must not be served.
    func fill(as kind: String) async throws {
        switch kind {
        case "half":
            try await authority.issue("good").place(in: path, as: "default")
            try cutInHalf("default.crt")
        case "foreign":
            try await authority.issue("good").place(in: path, as: "default")
            try await authority.issue("other").place(in: path, as: "other")
            try FileManager.default.removeItem(atPath: path + "/other.key")
            try FileManager.default.copyItem(atPath: path + "/default.key", toPath: path + "/other.key")
        case "weak": try await authority.issue("weak", .init(key: .rsa1024)).place(in: path, as: "default")
        case "keyless":
            try await authority.issue("good").place(in: path, as: "default")
            try FileManager.default.removeItem(atPath: path + "/default.key")
        case "exposed":
            try await authority.issue("good").place(in: path, as: "default")
            try expose("default.key")
        default: break
        }
    }

    /// Lets every user of the host read a file, and come to it.
    func expose(_ file: String) throws {
        for folder in [authority.folder, path] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        }
        try setMode(0o644, of: file)
    }

    func setMode(_ mode: Int, of file: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(file)")
    }

    private func cutInHalf(_ file: String) throws {
        let place = URL(filePath: "\(path)/\(file)")
        let text = try Data(contentsOf: place)
        try text.prefix(text.count / 2).write(to: place)
    }

    /// Renews `default`; in three rounds of ten with what has to be refused. Waits until the gateway has told what it does.
    func renew(_ round: Int, on stack: LatchkeyStack) async throws {
        let lifetime = 86_400 * (20 + round)
        switch round {
        case 3:
            try await authority.issue("r\(round)", .init(lifetimeSeconds: lifetime)).place(in: path, as: "default")
            try cutInHalf("default.crt")
        case 5:
            let issued = try await authority.issue("r\(round)", .init(lifetimeSeconds: lifetime))
            let key = try Data(contentsOf: URL(filePath: path + "/default.key"))
            try issued.place(in: path, as: "default")
            try key.write(to: URL(filePath: path + "/default.key"))
        case 8: try await authority.issue("r\(round)", .expired).place(in: path, as: "default")
        default:
            try await authority.issue("r\(round)", .init(lifetimeSeconds: lifetime)).place(in: path, as: "default")
            try await stack.hangUp(expecting: "tls.reloaded")
            return
        }
        let before = try await stack.certificate()
        try await stack.hangUp(expecting: "tls.refused")
        #expect(try await stack.certificate() == before)
    }
}

/// Stacks whose gateway speaks TLS.
enum TLSStack {
    /// Runs `body` with a folder that holds one good pair.
    static func run(
        _ name: String, environment: [String: String] = [:], policy: [String: String] = [:],
        _ body: (LatchkeyStack, TLSFolderOfTests) async throws -> Void
    ) async throws {
        try await TLSFolderOfTests.run { folder in
            let names = ["localhost", "127.0.0.1", "::1", "*.wild.example"]
            try await folder.authority.issue("first", .init(names: names)).place(in: folder.path, as: "default")
            try await run(name, folder, environment: environment, policy: policy) { try await body($0, folder) }
        }
    }

    static func run(
        _ name: String, _ folder: TLSFolderOfTests, environment: [String: String] = [:], policy: [String: String] = [:],
        _ body: (LatchkeyStack) async throws -> Void
    ) async throws {
        let settings = [
            "LATCHKEY_TLS_PORT": "0", "LATCHKEY_TLS_DIR": folder.path, "CURL_CA_BUNDLE": folder.authority.certificate,
        ]
        try await LatchkeyStack.run(
            name: name, environment: settings.merging(environment) { $1 }, policy: policy
        ) { stack in
            try await TLSStackContext.$authority.withValue(folder.authority.certificate) { try await body(stack) }
        }
    }
}

/// The authority that the clients of a test trust.
enum TLSStackContext {
    @TaskLocal static var authority = ""
}

extension LatchkeyStack {
    /// The gateway's log.
    var log: String {
        get throws { try String(contentsOfFile: dataDirectory + "/log/gateway.log", encoding: .utf8) }
    }

    /// Sends SIGHUP to the gateway and waits for its next line of this kind.
    func hangUp(expecting line: String, naming word: String = "") async throws {
        let before = try lines(line, word)
        try signal("gateway", 1)
        try await eventually("\(line) \(word)") { try lines(line, word) > before }
    }

    private func lines(_ text: String, _ word: String) throws -> Int {
        try log.split(separator: "\n").count { $0.contains("\"\(text)\"") && (word.isEmpty || $0.contains(word)) }
    }

    func shell(_ script: String) async throws -> Shell.Outcome {
        let target = (tls ?? "").replacing("https://", with: "")
        return try await Shell.run(
            script, in: dataDirectory,
            environment: ["TARGET": target, "URL": tls ?? "", "CA": TLSStackContext.authority])
    }

    /// The status that curl gets, or what it says of why it gets none.
    func curl(_ options: String = "") async throws -> String {
        let output = options.contains("-D -") ? "" : "-o /dev/null -w '%{http_code}'"
        let outcome = try await shell(
            "curl -s --cacert \"$CA\" \(output) \(options) \"$URL/users/me\" || printf ' curl %d' $?")
        let text = outcome.output
        guard let failure = text.range(of: "curl ") else { return text }
        return String(text[failure.lowerBound...])
    }

    /// The certificate that the gateway shows, as text.
    func certificate() async throws -> String {
        let outcome = try await shell(
            "openssl s_client -connect \"$TARGET\" -servername localhost </dev/null 2>/dev/null | openssl x509")
        try #require(outcome.isSuccess, "\(outcome.output)")
        return outcome.output
    }

    /// A whole number of a process's metrics; 0 when there is none.
    func metric(_ series: String, of process: String = "gateway") async throws -> Int {
        let text = try await operations(process).get("/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
        return line.flatMap { Double($0.dropFirst(series.count + 1)) }.map { Int($0) } ?? 0
    }
}
