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

extension YAMLNode {
    /// A word or number without quotes.
    init(word: String) {
        self.init(line: 0, content: .scalar(YAMLScalar(text: word, isQuoted: false, isText: false)))
    }

    /// A text, in quotes if YAML would read it as something else.
    init(text: String, isSecret: Bool = false) {
        let isPlain =
            text.first.map { $0.isLetter || "/$".contains($0) } ?? false && PlainScalar.isText(text)
            && text.utf8.allSatisfy { $0.isASCIIWordByte || "/.$*~ -".utf8.contains($0) } && text.last != " "
        self.init(
            line: 0, content: .scalar(YAMLScalar(text: text, isQuoted: !isPlain, isText: true, isSecret: isSecret)))
    }

    init(section: [(key: String, value: YAMLNode)]) {
        self.init(line: 0, content: .mapping(section.map { ($0.key, 0, $0.value) }))
    }

    /// The piece on one line, as a policy file can have it.
    var flow: String {
        switch content {
        case .scalar(let scalar): scalar.written
        case .list(let items): "[" + items.map(\.flow).joined(separator: ", ") + "]"
        case .mapping(let entries):
            entries.isEmpty ? "{}" : "{ " + entries.map { "\($0.key): \($0.value.flow)" }.joined(separator: ", ") + " }"
        }
    }

    /// The values of the piece, each with its key path; a list of values is one value.
    func values(at keyPath: String = "") -> [StatedValue] {
        switch content {
        case .scalar(let scalar): [StatedValue(keyPath: keyPath, text: flow, isSecret: scalar.isSecret)]
        case .mapping(let entries):
            entries.flatMap { $0.value.values(at: keyPath.isEmpty ? $0.key : "\(keyPath).\($0.key)") }
        case .list(let items):
            items.contains { if case .mapping = $0.content { true } else { false } }
                ? items.enumerated().flatMap { $0.element.values(at: "\(keyPath)[\($0.offset)]") }
                : [StatedValue(keyPath: keyPath, text: flow, isSecret: false)]
        }
    }
}

/// A value of a policy as a policy file could state it.
package struct StatedValue: Sendable, Equatable {
    package let keyPath: String
    package let text: String
    /// Whether the value lets people in, such as a fixed code.
    package let isSecret: Bool
}

/// A value as it is written, and whether YAML reads it as text.
struct YAMLScalar: Sendable {
    let text: String
    let isQuoted: Bool
    /// False if YAML would read the value as a number, truth value, date or null (`NO` and `+1` among them).
    let isText: Bool
    var isSecret = false

    private static let shownLengthMax = 60

    /// The whole value, as a policy file can have it.
    var written: String {
        guard isQuoted else { return text }
        let escaped = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }

    /// The start of the value as messages show it, without the name and password of a URL.
    var shown: String {
        if text.isEmpty && !isQuoted { return "nothing" }
        let text = text.replacing(#/:\/\/[^\/]*@/#, with: "://…@")
        let cut = text.unicodeScalars.count > Self.shownLengthMax
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.shownLengthMax)))
        let escaped = start.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : String($0) }
        let visible = escaped.joined() + (cut ? "…" : "")
        return isQuoted ? "\"\(visible)\"" : visible
    }
}
