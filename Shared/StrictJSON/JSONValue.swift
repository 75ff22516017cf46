/// One JSON value.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits into an Int64.
    case integer(Int64)
    /// Any other number, finite.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// The object's member; `nil` if there is none, or the value is not an object.
    package subscript(name: String) -> JSONValue? { objectValue?[name] }

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
