/// Settings that stop the process at start.
package struct SettingsError: Error, CustomStringConvertible {
    /// One line for each wrong setting: its name, what is wrong, and what to do.
    package let lines: [String]

    package init(_ setting: String, _ problem: String) { lines = ["\(setting): \(problem)"] }

    init(lines: [String]) { self.lines = lines }

    package var description: String { lines.joined(separator: "\n") }
}
