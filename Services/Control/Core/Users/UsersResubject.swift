import ArgumentParser
import InternalAPI

/// `latchkeyctl users resubject`
struct UsersResubject: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resubject",
        abstract: "Gives users the new subjects of a provider's tokens, after an app moved to another Apple team.",
        discussion: """
            Users keep their accounts, sessions and ids. If the new subject has an account already, the command prints both \
            users, changes neither and continues. Each change is a record in the audit. Run it with --dry-run first; it can be \
            repeated.
            """)

    @Option(help: "The provider: apple, or a name in section oidc of the policy.")
    var provider: String

    @Option(help: "A file with an old and a new subject on each line.")
    var map: String

    @Flag(help: "Shows what would change, and changes nothing.")
    var dryRun = false

    @OptionGroup var connection: UserOperatorOptions

    func run() async throws {
        let changes = try SubjectChangeFile.read(map)
        let report = ResubjectReport(isDryRun: dryRun)
        try await connection.withConnection { connection in
            for start in stride(from: 0, to: changes.count, by: ResubjectRequest.changesMax) {
                let part = Array(changes[start...].prefix(ResubjectRequest.changesMax))
                let answer = try await connection.call(
                    UserOperations.resubject,
                    ResubjectRequest(provider: provider, changes: part, isDryRun: dryRun))
                for (change, result) in zip(part, answer.results) {
                    if let line = report.line(change, result) { print(line) }
                    report.count(result)
                }
            }
        }
        print(report.summary)
        if report.hasCollisions { throw ExitCode.failure }
    }
}

/// The command's report of changed subjects.
final class ResubjectReport {
    private let isDryRun: Bool
    private var counts: [SubjectResult.Outcome: Int] = [:]

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    var hasCollisions: Bool { counts[.taken] != nil }

    func count(_ result: SubjectResult) { counts[result.outcome, default: 0] += 1 }

    /// The line about a change, or `nil` for a change that an earlier run made.
    func line(_ change: SubjectChange, _ result: SubjectResult) -> String? {
        let user = result.userID ?? "?"
        return switch result.outcome {
        case .moved: "\(user): \(change.from) -> \(change.to)"
        case .present: nil
        case .taken: "\(user): \(change.from) stays: \(change.to) belongs to \(result.holderID ?? "?")"
        case .unknown: "\(change.from): no user has this subject"
        }
    }

    var summary: String {
        "\(counts[.moved] ?? 0) \(isDryRun ? "would be changed" : "changed"), \(counts[.present] ?? 0) changed before, "
            + "\(counts[.taken] ?? 0) taken, \(counts[.unknown] ?? 0) unknown"
    }
}

/// A file of old and new subjects, one pair on a line, separated by blanks or a comma; `#` begins a comment line.
enum SubjectChangeFile {
    private static let lineBytesMax = 1_000

    /// - Throws: `CommandFailure` if the file cannot be read, a line is not a pair, or a subject is in two lines: the order of the
    ///   lines would decide then who gets it.
    static func read(_ path: String) throws -> [SubjectChange] {
        let lines = try FileLines(path: path, bytesMax: lineBytesMax)
        var changes: [SubjectChange] = []
        var known: [String: Int] = [:]
        while let line = try lines.next() {
            let text = String(decoding: line.bytes ?? [], as: UTF8.self)
            if text.first(where: { $0 != " " && $0 != "\t" }) == "#" { continue }
            let words = text.split { " \t,;".contains($0) }.map(String.init)
            guard words.count == 2 else {
                throw CommandFailure(description: "\(path):\(line.number): a line is an old subject and a new one")
            }
            for word in words {
                if let first = known.updateValue(line.number, forKey: word) {
                    throw CommandFailure(
                        description:
                            "\(path):\(line.number): \(word) is in line \(first) already. Name each subject once.")
                }
            }
            changes.append(SubjectChange(from: words[0], to: words[1]))
        }
        return changes
    }
}
