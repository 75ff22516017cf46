extension JSONValue {
    /// The value as JSON without white space, the members of objects in the order of their names' bytes: one text for one value.
    ///
    /// Whole numbers that fit into an Int64 are exact, others are the nearest double, as they were read.
    package var canonical: [UInt8] {
        // Only a number that is not finite has no text, and no JSON has such a number.
        do { return try StrictJSON.encode(self) } catch { return Array("null".utf8) }
    }
}

extension JSONObject {
    /// The members in the order of their names' bytes.
    fileprivate var sorted: [Member] { members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
}

/// Any JSON value as a part of a type's JSON. It is decoded only by `StrictJSON`.
extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? ValueDecoder else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "only StrictJSON decodes any value"))
        }
        self = decoder.value
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let array):
            var items = encoder.unkeyedContainer()
            for item in array { try items.encode(item) }
        case .object(let object):
            var members = encoder.container(keyedBy: AnyName.self)
            for member in object.sorted { try members.encode(member.value, forKey: AnyName(stringValue: member.name)) }
        case .null, .bool, .integer, .double, .string: try encode(into: encoder.singleValueContainer())
        }
    }

    private func encode(into container: any SingleValueEncodingContainer) throws {
        var container = container
        switch self {
        case .bool(let bool): try container.encode(bool)
        case .integer(let integer): try container.encode(integer)
        case .double(let double): try container.encode(double)
        case .string(let string): try container.encode(string)
        case .null, .array, .object: try container.encodeNil()
        }
    }
}

/// The name of any member.
private struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
