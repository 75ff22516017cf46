/// One JSON value.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that an Int64 holds exactly.
    case integer(Int64)
    /// Any other number, finite.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object in their order, names distinct byte by byte.
///
/// No dictionary: Swift compares strings by canonical equivalence, so that U+212A KELVIN SIGN equals `K` there.
package struct JSONObject: Sendable, Equatable {
    /// A name and its value.
    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: JSONValue
    }

    package internal(set) var members: [Member] = []

    /// The value of the member with exactly these bytes as its name.
    package subscript(name: String) -> JSONValue? {
        for member in members where isSameText(member.name, name) { return member.value }
        return nil
    }
}

extension JSONValue {
    /// The object's member; nil for another name and for values that are no objects.
    package subscript(name: String) -> JSONValue? {
        if case .object(let object) = self { object[name] } else { nil }
    }

    package var stringValue: String? {
        if case .string(let string) = self { string } else { nil }
    }

    package var integerValue: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    package var boolValue: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    package var arrayValue: [JSONValue]? {
        if case .array(let array) = self { array } else { nil }
    }

    package var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}
