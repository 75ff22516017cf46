import Policies

/// Gathers everything that is wrong with the settings and the policy of a process, so that one start reports all of it.
package struct SettingsReport {
    private var lines: [String] = []

    /// Runs all checks and throws all problems that they find, each line once.
    ///
    /// - Throws: `SettingsError`; an error that is neither this nor `PolicyError` is thrown at once.
    package static func requireAll(_ checks: [() throws -> Void]) throws {
        var report = SettingsReport()
        for check in checks { _ = try report.read(check) }
        try requireNone(report.lines)
    }

    /// Reads two values, and throws all problems of both.
    ///
    /// - Throws: The same errors as `requireAll`.
    package static func both<First, Second>(
        _ first: () throws -> First, _ second: () throws -> Second
    ) throws -> (First, Second) {
        var report = SettingsReport()
        let (one, other) = (try report.read(first), try report.read(second))
        guard let one, let other else { throw SettingsError(lines: report.lines) }
        return (one, other)
    }

    /// Throws the lines of `problems`, if there are any.
    package static func requireNone(_ problems: [String]) throws(SettingsError) {
        guard problems.isEmpty else { throw SettingsError(lines: problems) }
    }

    /// Reads a value, or notes the problem and returns `nil`.
    mutating func read<Value>(_ read: () throws -> Value?) throws -> Value? {
        do { return try read() } catch let error as SettingsError {
            note(error.lines)
        } catch let error as PolicyError {
            note(error.findings.map(\.description))
        }
        return nil
    }

    /// Throws the problems that were noted, or returns if there are none.
    func finish() throws(SettingsError) { try Self.requireNone(lines) }

    private mutating func note(_ new: [String]) {
        for line in new where !lines.contains(line) { lines.append(line) }
    }
}
