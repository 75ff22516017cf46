/// An environment variable that Latchkey reads, as `--help` describes it.
package struct Variable: Sendable, Equatable {
    package let name: String
    /// The meaning, the allowed values and the default, in one line.
    package let meaning: String

    init(_ name: String, _ meaning: String) {
        self.name = name
        self.meaning = meaning
    }
}

extension Variable {
    /// Lines for `--help`: the names in one column, their meanings in another.
    package static func listing(_ variables: [Variable]) -> String {
        let width = variables.map(\.name.count).max() ?? 0
        return variables.map { variable in
            "  \(variable.name)\(String(repeating: " ", count: width - variable.name.count))  \(variable.meaning)"
        }.joined(separator: "\n")
    }
}

/// A variable that begins like ours and that nothing reads.
package struct UnknownVariable: Sendable, Equatable, CustomStringConvertible {
    package let name: String
    /// The variable that was probably meant.
    package let suggestion: String?

    package var description: String {
        "\(name) is not a setting of Latchkey and has no effect."
            + (suggestion.map { " Did you mean \($0)?" } ?? " deploy/docs/reference/settings.md lists all settings.")
    }

    private static let prefix = "LATCHKEY_"

    /// The variables among `names` that begin with `LATCHKEY_` and that nothing reads, sorted by name.
    package static func all(in names: some Sequence<String>) -> [UnknownVariable] {
        // The common prefix says nothing about how close two names are.
        let known = Variables.ours.map { String($0.dropFirst(prefix.count)) }
        return names.filter { $0.hasPrefix(prefix) && !Variables.ours.contains($0) }.sorted().map { name in
            let meant = Spelling.nearest(to: String(name.dropFirst(prefix.count)), among: known)
            return UnknownVariable(name: name, suggestion: meant.map { prefix + $0 })
        }
    }
}
