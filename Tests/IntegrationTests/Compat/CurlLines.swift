import FoundationEssentials
import TestSupport
import Testing

/// The commands that aarokya's document prints, run as they are printed.
struct CurlLines {
    private static let host = "https://api.aarokya.in"
    /// So that curl itself says the status, and nothing else beside the body.
    private static let settings = "silent\nwrite-out = \"\\n%{http_code}\"\n"

    private let commands: [String]

    init() throws {
        let file = LatchkeyStack.root + "Tests/Compat/aarokya/curl.sh"
        commands = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n\n").map(String.init)
        try #require(commands.count == 4)
    }

    /// Runs the command of a step, with the gateway's address in place of the printed host.
    ///
    /// - Parameter authority: the file of the one that is trusted over https; nil: the system's.
    func run(
        _ index: Int, at gateway: String, filling: [String: String] = [:], trusting authority: String? = nil
    ) async throws -> HTTPAnswer {
        var command = commands[index].replacing(Self.host, with: gateway)
        for (mark, text) in filling { command = command.replacing(mark, with: text) }
        let script =
            "folder=$(mktemp -d); trap 'rm -r \"$folder\"' EXIT; export CURL_HOME=$folder\n"
            + "printf '%s' \"$SETTINGS\" > \"$folder/.curlrc\"\n\(command)"
        let settings = Self.settings + (authority.map { "cacert = \"\($0)\"\n" } ?? "")
        let outcome = try await Shell.run(script, in: "/", environment: ["SETTINGS": settings])
        let lines = outcome.output.split(separator: "\n")
        let status = try #require(lines.last.flatMap { Int($0) }, "\(outcome.output)")
        return HTTPAnswer(status: status, headers: [:], body: Array(lines.dropLast().joined(separator: "\n").utf8))
    }
}
