/// The value of a user's attribute; integers are limited to those that every JSON reader represents exactly.
public enum AttributeValue: Sendable, Hashable {
    case boolean(Bool)
    case integer(Int64)
    case string(String)
}

extension AttributeValue: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        do {
            self = .boolean(try value.decode(Bool.self))
        } catch DecodingError.typeMismatch {
            do {
                self = .integer(try value.decode(Int64.self))
            } catch DecodingError.typeMismatch {
                self = .string(try value.decode(String.self))
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        }
    }
}

/// Values of a user's attributes by name; in JSON an object, its members in the order of their names.
public struct UserAttributes: Sendable, Equatable {
    public var values: [String: AttributeValue]

    public init(_ values: [String: AttributeValue] = [:]) { self.values = values }

    /// The attribute's value, or `nil` if it has none.
    public subscript(name: String) -> AttributeValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    public var isEmpty: Bool { values.isEmpty }

    /// The attributes in the order of their names.
    public var inOrder: [(name: String, value: AttributeValue)] {
        values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}

extension UserAttributes: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberName.self)
        values = [:]
        for name in container.allKeys {
            values[name.stringValue] = try container.decode(AttributeValue.self, forKey: name)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        for (name, value) in inOrder { try container.encode(value, forKey: MemberName(name)) }
    }
}

/// The name of any member of a JSON object, for names that are not known when the code is written.
public struct MemberName: CodingKey, Sendable {
    public let stringValue: String
    public var intValue: Int? { nil }

    public init(_ name: String) { stringValue = name }
    public init?(stringValue: String) { self.init(stringValue) }
    public init?(intValue: Int) { nil }
}
