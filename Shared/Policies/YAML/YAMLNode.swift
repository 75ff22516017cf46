/// A piece of a policy file with its line.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        case scalar(YAMLScalar)
        case list([YAMLNode])
        /// Keys are distinct and in the order of the file.
        case mapping([(key: String, line: Int, value: YAMLNode)])
    }

    let line: Int
    let content: Content

    /// The piece as error messages show it.
    var shown: String {
        switch content {
        case .scalar(let scalar): scalar.shown
        case .list: "a list"
        case .mapping: "a section"
        }
    }
}

/// A value as it is written, and whether YAML reads it as text.
struct YAMLScalar: Sendable {
    let text: String
    let isQuoted: Bool
    /// False if YAML would read the value as a number, truth value, date or null (`NO` and `+1` among them).
    let isText: Bool

    private static let shownLengthMax = 60

    var shown: String {
        if text.isEmpty && !isQuoted { return "nothing" }
        let cut = text.unicodeScalars.count > Self.shownLengthMax
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.shownLengthMax)))
        let escaped = start.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : String($0) }
        let visible = escaped.joined() + (cut ? "…" : "")
        return isQuoted ? "\"\(visible)\"" : visible
    }
}
