import FoundationEssentials

/// Results as JSON, for programs: the names of members never change, and times are Unix seconds.
enum JSONOutput {
    /// Returns one line with the members in the order of their names.
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
