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
        let known = Settings.ours.map { String($0.dropFirst(prefix.count)) }
        return names.filter { $0.hasPrefix(prefix) && !Settings.ours.contains($0) }.sorted().map { name in
            let meant = Spelling.nearest(to: String(name.dropFirst(prefix.count)), among: known)
            return UnknownVariable(name: name, suggestion: meant.map { prefix + $0 })
        }
    }
}
