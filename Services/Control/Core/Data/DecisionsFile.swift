import FoundationEssentials
import InternalAPI
import Storage

/// A list of security decisions, as `users decisions` prints it and user-service writes it to `LATCHKEY_DECISIONS_DIR`.
enum DecisionsFile {
    private static let bytesMax = 1 << 30

    /// Reads the decisions in the order of their sequence.
    ///
    /// - Throws: `CommandFailure` that identifies the first invalid line. A last line without its end was cut off by a crash
    ///   and is skipped.
    static func read(_ path: String) throws -> [OrderedDecision] {
        let contents: Data
        do { contents = try Data(contentsOf: URL(filePath: path)) } catch {
            throw CommandFailure(description: "cannot read the file \(path). Does it exist, and may you read it?")
        }
        guard contents.count <= bytesMax else { throw CommandFailure(description: "\(path) is too large for a list") }
        do throws(RemovedFile.BadLine) { return try rows(contents) } catch {
            throw CommandFailure(
                description: "\(path), line \(error.number): not a decision as 'users decisions' prints it")
        }
    }

    static func rows(_ text: some BidirectionalCollection<UInt8>) throws(RemovedFile.BadLine) -> [OrderedDecision] {
        var rows: [OrderedDecision] = []
        var prefix: [UInt8]?
        let whole = text.prefix(upTo: text.lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex)
        let lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        for (index, line) in lines.enumerated() {
            guard let decision = SecurityDecision(line: String(decoding: line, as: UTF8.self)),
                let id = IDText(decision.id.utf8), id.prefix == prefix ?? id.prefix
            else { throw RemovedFile.BadLine(number: index + 1) }
            prefix = id.prefix
            rows.append(
                .init(
                    sequence: decision.sequence, kind: decision.kind.rawValue, subject: id.bytes,
                    detail: decision.detail))
        }
        return rows.sorted { $0.sequence < $1.sequence }
    }
}
