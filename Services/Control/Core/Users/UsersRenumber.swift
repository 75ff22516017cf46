import ArgumentParser
import InternalAPI

/// `latchkeyctl users renumber`
struct UsersRenumber: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renumber",
        abstract: "Changes phone numbers after a change of a national numbering plan, or to their canonical form.",
        discussion: """
            Users keep their accounts, sessions and ids. If another user has the new number already, the command prints both \
            users, changes neither and continues. Each change is a record in the audit. Run it with --dry-run first.
            """)

    @Option(help: "The prefix of the phone numbers that change, such as +22507.")
    var from: String?

    @Option(help: "The prefix that they will have, such as +2250707.")
    var to: String?

    @Option(help: "A file of such pairs, one on a line: +22507 +2250707. The longest prefix of a phone number decides.")
    var map: String?

    @Flag(
        help:
            "Changes phone numbers whose stored form is no longer canonical, and lists those that have no canonical form."
    )
    var canonical = false

    @Flag(help: "Shows what would change, and changes nothing.")
    var dryRun = false

    @OptionGroup var connection: UserOperatorOptions

    func validate() throws {
        guard (from == nil) == (to == nil), [from != nil, map != nil, canonical].count(where: { $0 }) == 1 else {
            throw ValidationError("use --from PREFIX --to PREFIX, --map FILE or --canonical")
        }
    }

    func run() async throws {
        let changes = try changes()
        let report = RenumberReport(isDryRun: dryRun)
        try await connection.withConnection { connection in
            var page = RenumberPage(numbers: [], next: nil)
            repeat {
                page = try await connection.call(
                    UserOperations.renumber,
                    RenumberRequest(changes: changes, isDryRun: dryRun, cursor: page.next))
                for number in page.numbers { print(report.line(number)) }
                report.count(page.numbers)
            } while page.next != nil
        }
        print(report.summary)
        if report.hasCollisions { throw ExitCode.failure }
    }

    private func changes() throws -> [NumberChange]? {
        if let from, let to { return [NumberChange(from: from, to: to)] }
        return try map.map { try NumberChangeFile.read($0) }
    }
}

/// The command's report of renamed phone numbers.
final class RenumberReport {
    private let isDryRun: Bool
    private var counts: [RenumberedNumber.Result: Int] = [:]

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    var hasCollisions: Bool { (counts[.taken] ?? 0) + (counts[.impossible] ?? 0) > 0 }

    func count(_ numbers: [RenumberedNumber]) {
        for number in numbers { counts[number.result, default: 0] += 1 }
    }

    func line(_ number: RenumberedNumber) -> String {
        let owner = number.userID ?? "invitation"
        return switch number.result {
        case .renamed: "\(owner): \(number.from) -> \(number.to)"
        case .taken: "\(owner): \(number.from) stays: \(number.to) belongs to \(number.holderID ?? "an invitation")"
        case .impossible: "\(owner): \(number.from) stays: \(number.to) cannot exist"
        }
    }

    var summary: String {
        "\(counts[.renamed] ?? 0) \(isDryRun ? "would be renamed" : "renamed"), \(counts[.taken] ?? 0) taken, "
            + "\(counts[.impossible] ?? 0) impossible"
    }
}

/// A file of prefixes and their replacements, one pair on a line, separated by blanks or a comma; `#` begins a comment.
enum NumberChangeFile {
    private static let lineBytesMax = 200

    /// - Throws: `CommandFailure` if the file cannot be read or a line is not a pair.
    static func read(_ path: String) throws -> [NumberChange] {
        let lines = try FileLines(path: path, bytesMax: lineBytesMax)
        var changes: [NumberChange] = []
        while let line = try lines.next() {
            let text = String(decoding: line.bytes ?? [], as: UTF8.self)
            let words = text.prefix { $0 != "#" }.split { " \t,;".contains($0) }.map(String.init)
            if words.isEmpty, line.bytes != nil { continue }
            guard words.count == 2, changes.count < RenumberRequest.changesMax else {
                throw CommandFailure(
                    description:
                        "\(path):\(line.number): a line is an old prefix and a new one, e.g. +22507 +2250707, and "
                        + "a file has at most \(RenumberRequest.changesMax)")
            }
            changes.append(NumberChange(from: words[0], to: words[1]))
        }
        return changes
    }
}
