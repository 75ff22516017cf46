import Foundation
import SettingNames
import SupervisorCore
import TestSupport
import Testing

/// The tables of settings.md, the help of deploy/run and the lists in docker-compose.yml are what the rows and the manifest make.
///
/// `LATCHKEY_WRITE_GOLDEN=1` writes them again.
@Suite(.serialized) struct SettingDocumentTests {
    private static let writes = ProcessInfo.processInfo.environment["LATCHKEY_WRITE_GOLDEN"] == "1"

    /// Compares a file with its text, or writes it.
    private static func isListed(_ path: String, _ text: (String) throws -> String) throws -> Bool {
        let file = LatchkeyStack.root + path
        let before = try String(contentsOfFile: file, encoding: .utf8)
        let now = try text(before)
        // In place, so that a script stays executable.
        if writes { try now.write(toFile: file, atomically: false, encoding: .utf8) }
        return writes || now == before
    }

    /// Replaces what is between two marks.
    private static func replace(
        in text: inout String, from opening: String, to closing: String, by new: String
    ) throws {
        let start = try #require(text.firstRange(of: opening)).upperBound
        let end = try #require(text[start...].firstRange(of: closing)).lowerBound
        text.replaceSubrange(start..<end, with: new)
    }

    private static func table(_ rows: [Setting]) -> String {
        let hasReaders = rows.contains { !$0.processes.isEmpty }
        let head = ["variable"] + (hasReaders ? ["read by"] : []) + ["meaning", "default", "allowed"]
        let lines = rows.map { row in
            ["`\(row.name)`"] + (hasReaders ? [row.processes.joined(separator: ", ")] : [])
                + [row.help, row.fallback, row.allowed]
        }
        let rule = "|" + String(repeating: "---|", count: head.count)
        let rest = lines.map { "| " + $0.joined(separator: " | ") + " |" }
        return (["", "| " + head.joined(separator: " | ") + " |", rule] + rest + ["", ""]).joined(separator: "\n")
    }

    @Test func `settings.md has all variables`() throws {
        let single = Settings.all.filter { !$0.processes.isEmpty }
        let isListed = try Self.isListed("deploy/docs/reference/settings.md") { page in
            var page = page
            for (name, rows) in [
                ("every process", Settings.common), ("single processes", single),
                ("deploy/run", Settings.supervisor + Settings.run),
            ] {
                try Self.replace(
                    in: &page, from: "<!-- settings of \(name) -->\n", to: "<!-- end of settings -->",
                    by: Self.table(rows))
            }
            return page
        }
        #expect(isListed)
    }

    @Test func `deploy/run lists its variables before anything is built`() async throws {
        let isListed = try Self.isListed("deploy/run") { script in
            var script = script
            try Self.replace(
                in: &script, from: "An empty one counts as unset:\n", to: "\nOther variables",
                by: (Settings.supervisor + Settings.run).listing + "\n")
            return script
        }
        let help = try await Shell.run("deploy/run --help", in: LatchkeyStack.root)
        #expect(isListed && help.isSuccess && help.output.contains(Settings.supervisor.listing))
    }

    // MARK: - docker-compose.yml

    /// The secrets that `deploy/secrets` makes for a process.
    private static func secrets(_ process: ManagedProcess) -> [String] {
        Manifest.madeSecrets.map(\.name).filter(process.secrets.contains)
    }

    private static func variables(_ process: ManagedProcess) -> [String] {
        let fixed = [
            "LATCHKEY_LISTEN": "\"0.0.0.0:\(process.port)\"", "REDIS_USER": process.name,
            "LATCHKEY_UPSTREAM": "${LATCHKEY_UPSTREAM:-http://sample-api:8090}",
        ]
        // Your API, which shares a network with the gateway, must not reach its operations port.
        let operations = process.name == "gateway" ? ["      LATCHKEY_OPS_LISTEN: \"internal:9090\""] : []
        let rows = [Settings.common["LATCHKEY_LISTEN"]] + Settings.own(process.name)
        return operations
            + rows.filter { $0.compose == .always && $0.name != "REDIS_URL" }.map { row in
                var value = fixed[row.name] ?? "${\(row.name):-\(row.standard ?? "")}"
                if case .replicas = row.rule {
                    let called = row.name.dropLast(4).lowercased()
                    value = "\"http://\(called):\(Manifest.processes.first { $0.name == called }?.port ?? 0)\""
                }
                return "      \(row.name): \(value)"
            }
    }

    /// Returns the file with the lists of each process and the list of all secrets, each after the line that begins it.
    private static func listed(_ compose: String) -> String {
        let all = Set(Manifest.processes.flatMap(secrets)).union(["redis_acl", "redis_functions"]).sorted()
        var lines: [String] = []
        var (process, old): (ManagedProcess?, String?) = (nil, nil)
        for line in compose.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let prefix = old, line.hasPrefix(prefix) { continue }
            old = nil
            lines.append(line)
            if let name = line.wholeMatch(of: #/  ([a-z-]+):/#)?.1 {
                process = Manifest.processes.first { $0.name == name }
            }
            switch (line, process) {
            case ("      <<: *environment", let process?): (lines, old) = (lines + variables(process), "      ")
            case ("    secrets:", let process?):
                (lines, old) = (lines + secrets(process).map { "      - " + $0 }, "      - ")
            case ("secrets:", _):
                let folder = "${LATCHKEY_SECRETS_DIR:-./deploy/secrets.d}"
                (lines, old) = (lines + all.map { "  \($0): {file: \"\(folder)/\($0)\"}" }, "  ")
            case ("      - redis-server", _):
                let memory = ("maxmemory", "\(SupervisorSettings.redisMegabytes)mb")
                let options = [("aclfile", "/run/secrets/redis_acl"), memory] + RedisConfigurationFile.common
                let words = options.flatMap { ["--" + $0, $1.hasPrefix("\"") ? $1 : "\"\($1)\""] }
                (lines, old) = (lines + words.map { "      - " + $0 }, "      - ")
            default: break
            }
        }
        return lines.joined(separator: "\n")
    }

    @Test func `compose gives each process its variables and secrets, and Redis its settings`() throws {
        #expect(try Self.isListed("docker-compose.yml") { Self.listed($0) })
    }
}
