import StrictJSON

/// A value of a YAML document with its members in the order in which they are written.
indirect enum DocumentNode: Sendable, Equatable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case null
    case list([DocumentNode])
    case map([Member])

    struct Member: Sendable, Equatable {
        let name: String
        let value: DocumentNode
    }

    private static let widthMax = 110

    /// The YAML document (YAML 1.2): values that fit into their line are in flow style.
    var document: String { lines(indent: 0).joined(separator: "\n") + "\n" }

    /// The members of a map; empty for every other value.
    var members: [Member] { if case .map(let members) = self { members } else { [] } }

    subscript(name: String) -> DocumentNode? { members.first { $0.name == name }?.value }

    private func lines(indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        switch self {
        case .map(let members) where !members.isEmpty:
            return members.flatMap { Self.entry("\(margin)\(Self.quoted($0.name)):", $0.value, indent) }
        case .list(let items) where !items.isEmpty:
            return items.flatMap { Self.entry("\(margin)-", $0, max(indent, 4)) }
        default: return [margin + flow]
        }
    }

    private static func entry(_ start: String, _ value: DocumentNode, _ indent: Int) -> [String] {
        let line = "\(start) \(value.flow)"
        let isScalar = value.members.isEmpty && value.items.isEmpty
        guard !isScalar, indent < 4 || line.utf8.count > widthMax else { return [line] }
        return [start] + value.lines(indent: indent + 2)
    }

    var items: [DocumentNode] { if case .list(let items) = self { items } else { [] } }

    private var flow: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .null: "null"
        case .list(let items): "[\(items.map(\.flow).joined(separator: ", "))]"
        case .map(let members):
            "{\(members.map { "\(Self.quoted($0.name)): \($0.value.flow)" }.joined(separator: ", "))}"
        }
    }

    /// Returns a plain word as it is, and every other text as a JSON string, which is a YAML string too.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            text.first?.isLetter ?? false || text.hasPrefix("/") || text.hasPrefix("$")
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/.+$"
        guard
            !isPlain || !text.allSatisfy(plain.contains)
                || ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        else { return text }
        do { return String(decoding: try StrictJSON.encode(text), as: UTF8.self) } catch { return "\"\"" }
    }
}

extension DocumentNode: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    init(stringLiteral value: String) { self = .text(value) }
    init(arrayLiteral elements: DocumentNode...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, DocumentNode)...) {
        self = .map(elements.map { Member(name: $0.0, value: $0.1) })
    }

    init(_ value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let flag): .flag(flag)
            case .integer(let number): .number(number)
            case .double(let number): .text("\(number)")
            case .string(let text): .text(text)
            case .array(let items): .list(items.map(DocumentNode.init))
            case .object(let object):
                .map(object.members.map { Member(name: $0.name, value: DocumentNode($0.value)) })
            }
    }

    /// Adds the members of another map behind those of this one.
    static func + (left: DocumentNode, right: DocumentNode) -> DocumentNode { .map(left.members + right.members) }
}
