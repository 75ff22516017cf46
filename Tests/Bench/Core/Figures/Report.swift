import FoundationEssentials
import Glibc

/// Prints figures as they come, keeps those that miss their bounds, and appends all to a file.
struct Report {
    private let file: String?
    private let run = Self.now()
    private(set) var missed: [Figure] = []

    /// - Parameter file: where each figure is appended as a JSON line; `nil` for nowhere.
    init(file: String? = nil) { self.file = file }

    /// Unix time in seconds.
    static func now() -> Int64 { Int64(exactly: Date().timeIntervalSince1970.rounded(.down)) ?? 0 }

    func section(_ title: String) { Self.say("\n" + title) }

    mutating func add(_ new: [Figure]) throws {
        for figure in new { Self.say(figure.line) }
        missed += new.filter { !$0.meetsBound }
        guard let file else { return }
        let lines = try new.map { try FigureRecord($0, run: run, machine: Machine.description).line() }
        let folder = URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let before = FileManager.default.contents(atPath: file) ?? Data()
        try (before + Data(lines.joined())).write(to: URL(filePath: file), options: .atomic)
    }

    /// Prints at once, so that a long run shows where it is.
    static func say(_ text: String) {
        let line = Array((text + "\n").utf8)
        // A reader that is gone has no use for the rest.
        _ = unsafe write(STDOUT_FILENO, line, line.count)
    }
}

/// A figure as one line of JSON, with where and when it was measured.
struct FigureRecord: Codable, Sendable, Equatable {
    var figure: String
    var value: Double
    var unit: String
    var min: Double?
    var max: Double?
    var rounds: Int?
    /// The lower quartile of a comparison, to which the bound applies.
    var lowerQuartile: Double?
    var upperQuartile: Double?
    var pairs: Int?
    var atMost: Double?
    var atLeast: Double?
    /// Unix time in seconds at which the run began; the same for all figures of a run.
    var run: Int64
    /// Processor and number of cores.
    var machine: String

    init(_ figure: Figure, run: Int64, machine: String) {
        let rounds = figure.spread.flatMap { $0.isOfPairs ? nil : $0 }
        let pairs = figure.spread.flatMap { $0.isOfPairs ? $0 : nil }
        (self.figure, value, unit, self.run, self.machine) = (
            figure.name, figure.value, figure.unit.rawValue, run, machine
        )
        (min, max, self.rounds) = (rounds?.low, rounds?.high, rounds?.count)
        (lowerQuartile, upperQuartile, self.pairs) = (pairs?.low, pairs?.high, pairs?.count)
        if case .atMost(let limit) = figure.bound { atMost = limit }
        if case .atLeast(let limit) = figure.bound { atLeast = limit }
    }

    /// The line, with its end; members in the order of the alphabet.
    func line() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

extension Figure {
    private static let nameWidth = 34
    private static let valueWidth = 12

    /// The figure as one line for people, in which a missed bound stands out.
    var line: String {
        let number = Self.text(value)
        let padding = String(repeating: " ", count: max(1, Self.nameWidth - name.count))
        let indent = String(repeating: " ", count: max(0, Self.valueWidth - number.count))
        return "  \(name)\(padding)\(indent)\(number) \(unit.rawValue)\(spreadText)\(boundText)"
    }

    private var spreadText: String {
        guard let spread, spread.isOfPairs || spread.count > 1 else { return "" }
        let (before, after) = spread.isOfPairs ? ("quartiles ", "pairs") : ("", "rounds")
        return "  (\(before)\(Self.text(spread.low)) – \(Self.text(spread.high)), \(spread.count) \(after))"
    }

    private var boundText: String {
        let verdict = meetsBound ? spread?.isOfPairs == true ? "kept" : "ok" : "MISSED"
        return switch bound {
        case nil: ""
        case .atMost(let limit): "  at most \(Self.text(limit)): \(verdict)"
        case .atLeast(let limit): "  at least \(Self.text(limit)): \(verdict)"
        }
    }

    /// Digits that mean something: whole from 100 on, then one, then three after the point.
    static func text(_ value: Double) -> String {
        let places = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 3
        let scale = [1, 10, 0, 1000][places]
        guard let scaled = Int(exactly: (value * Double(scale)).rounded()) else { return "\(value)" }
        guard places > 0 else { return String(scaled) }
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
        let digits = String(rest)
        return (scaled < 0 ? "-" : "") + "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }
}
