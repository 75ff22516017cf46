import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A document's own client, run as a program that prints `ok ID: words` or `not so ID: words` for what it finds.
struct ClientProgram: Sendable {
    /// The folder of the programs that were built with the tests.
    private static func folder() throws -> String {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: program).deletingLastPathComponent().path(percentEncoded: false)
    }

    /// The bash command, run in the repository.
    let command: String

    init(_ command: String) { self.command = command }

    /// A program out of this package with its arguments.
    init(built name: String, _ arguments: String...) throws { try self.init(built: name, arguments) }

    init(built name: String, _ arguments: [String]) throws {
        command = "'\(try Self.folder())\(name)' " + arguments.map { "'\($0)'" }.joined(separator: " ")
    }

    /// A document's Kotlin with its arguments, compiled if it has changed.
    init(kotlin document: String, _ arguments: [String]) {
        command = "Tests/Compat/run-kotlin \(document) " + arguments.map { "'\($0)'" }.joined(separator: " ")
    }

    /// Returns the program on a system that trusts only the authority in this file (PEM).
    ///
    /// URLSession reads the system's own file on Linux and heeds no variable; so a file system of its own shows it another
    /// one in that place.
    func trusting(_ authority: String) -> ClientProgram {
        ClientProgram(
            """
            export NODE_EXTRA_CA_CERTS='\(authority)' TRUSTED='\(authority)'
            unshare \(Self.ownFileSystem) bash -c \
                'mount --bind "$TRUSTED" /etc/ssl/certs/ca-certificates.crt && exec bash -s' <<'COMMAND'
            \(command)
            COMMAND
            """)
    }

    /// Whether this user may give a program a file system of its own.
    static func canTrust() async throws -> Bool {
        try await Shell.run("unshare \(ownFileSystem) true", in: "/").isSuccess
    }

    private static let ownFileSystem = geteuid() == 0 ? "--mount" : "--mount --map-root-user"

    /// Runs it, and notes what it has shown; what it found wrong is an issue.
    func show(_ environment: [String: String] = [:]) async throws {
        let outcome = try await Shell.run(command, in: LatchkeyStack.root, environment: environment)
        StatementRun.current?.note(Self.ids("ok", outcome.output), holds: true)
        StatementRun.current?.note(Self.ids("not so", outcome.output), holds: false)
        #expect(outcome.isSuccess && !Self.ids("ok", outcome.output).isEmpty, "\(outcome.output)")
    }

    /// The statements that a run finds wrong, in an answer that is spoiled on its way or under what a document does not foresee.
    func failures(_ environment: [String: String] = [:]) async throws -> Set<String> {
        let outcome = try await Shell.run(command, in: LatchkeyStack.root, environment: environment)
        let failures = Set(Self.ids("not so", outcome.output))
        try #require(outcome.isSuccess == failures.isEmpty && !outcome.output.isEmpty, "\(outcome.output)")
        return failures
    }

    /// Whether a run in which this word is misspelled in every answer finds something wrong.
    func notices(spoiling word: String, _ environment: [String: String] = [:]) async throws -> Bool {
        let environment = environment.merging(["COMPAT_SPOIL": word]) { $1 }
        let outcome = try await Shell.run(command, in: LatchkeyStack.root, environment: environment)
        return !outcome.isSuccess && !Self.ids("not so", outcome.output).isEmpty
    }

    private static func ids(_ word: String, _ output: String) -> [String] {
        output.split(separator: "\n").filter { $0.hasPrefix(word + " ") }.compactMap { line in
            line.dropFirst(word.count + 1).split(separator: ":").first.map(String.init)
        }
    }
}
