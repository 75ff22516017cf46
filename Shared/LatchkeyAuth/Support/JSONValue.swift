import Foundation

/// Any JSON value. Request bodies are built from it, and it keeps the members of a stored record that a later release added.
enum JSONValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The string, or `nil` for any other value.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The integer, or `nil` for any other value.
    var whole: Int64? {
        guard case .integer(let whole) = self else { return nil }
        return whole
    }

    /// The strings of an array, or the names of an object's members.
    var texts: [String]? {
        switch self {
        case .array(let values): values.compactMap(\.text)
        case .object(let members): members.keys.sorted()
        default: nil
        }
    }

    /// The members, or `nil` for any other value.
    var members: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// A string, or null for `nil`.
    static func optional(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }
}

extension JSONValue: Codable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        // A type that does not fit is no error: the next one is tried, and only the last one may throw.
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// JSON text with its members in the order of their names, so that equal values have equal bytes.
enum JSONText {
    static func encode(_ value: JSONValue) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only a number that is not finite cannot be encoded, and JSON text has none to begin with.
        return (try? encoder.encode(value)) ?? Data("null".utf8)
    }

    /// The value of a JSON text, or `nil` if it is not JSON. Callers need no reason: a response without JSON is not Latchkey's,
    /// and a stored item without it is lost.
    static func decode(_ data: Data) -> JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: data) }
}
