import Foundation

/// The report of a client's run on its document's statements: a line `ok ID: words` or `not so ID: words` for each.
public final class Report {
    private var failures = 0

    public init() {}

    /// Whether every statement so far holds.
    public var isGood: Bool { failures == 0 }

    /// Says whether the statement with these row ids holds; what is thrown says that it does not.
    public func statement(_ ids: String, _ words: String, _ holds: () async throws -> Bool) async {
        var (isSo, why) = (false, "")
        do { isSo = try await holds() } catch { why = " (\(error))" }
        if !isSo { failures += 1 }
        for id in ids.split(separator: " ") { print("\(isSo ? "ok" : "not so") \(id): \(words)\(why)") }
    }
}

/// Misspells the word in `COMPAT_SPOIL` in every answer: a run must then say `not so`.
public enum Spoiling {
    private static let word = ProcessInfo.processInfo.environment["COMPAT_SPOIL"]

    public static func spoiled(_ answer: Data) -> Data {
        guard let word, let text = String(data: answer, encoding: .utf8) else { return answer }
        return Data(text.replacingOccurrences(of: "\"\(word)\"", with: "\"\(word)_\"").utf8)
    }
}
