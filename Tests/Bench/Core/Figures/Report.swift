import FoundationEssentials
import Glibc

/// Prints figures as they come, keeps them, and appends them to a file.
package struct Report {
    private let file: String?
    private let run: Int64
    private let machine: String
    package private(set) var figures: [Figure] = []

    /// - Parameters:
    ///   - file: where each figure is appended as a JSON line; nil for nowhere.
    ///   - run: Unix time in seconds.
    package init(file: String?, run: Int64, machine: String) {
        self.file = file
        self.run = run
        self.machine = machine
    }

    /// Unix time in seconds.
    package static func now() -> Int64 { Int64(exactly: Date().timeIntervalSince1970.rounded(.down)) ?? 0 }

    package func section(_ title: String) { Self.say("\n" + title) }

    package mutating func add(_ new: [Figure]) throws {
        for figure in new {
            Self.say(FigureText.line(figure))
            figures.append(figure)
        }
        guard let file else { return }
        var lines = Data()
        for figure in new { lines += try FigureRecord(figure, run: run, machine: machine).line() }
        try Self.append(lines, to: file)
    }

    /// The figures that do not reach their bounds.
    package var missed: [Figure] { figures.filter { !$0.meetsBound } }

    /// Prints at once, so that a long run shows where it is.
    package static func say(_ text: String) {
        let line = Array((text + "\n").utf8)
        // A reader that is gone has no use for the rest.
        _ = unsafe write(STDOUT_FILENO, line, line.count)
    }

    private static func append(_ lines: Data, to path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let before = FileManager.default.contents(atPath: path) ?? Data()
        try (before + lines).write(to: URL(filePath: path), options: .atomic)
    }
}
