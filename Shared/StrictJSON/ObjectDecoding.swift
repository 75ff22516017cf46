/// Decodes the members of an object for `Decodable` types.
struct ObjectDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: JSONObject
    let codingPath: [any CodingKey]

    init(_ object: JSONObject, codingPath: [any CodingKey]) {
        self.object = object
        self.codingPath = codingPath
    }

    var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { object.contains(key.stringValue) }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: decoder(key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    /// Returns the decoder of a superclass's members.
    func superDecoder() -> any Decoder {
        let key = PathKey.superclass
        return ValueDecoder(object[key.stringValue] ?? .null, in: codingPath, at: key)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        ValueDecoder(try value(key), in: codingPath, at: key)
    }

    private func value(_ key: Key) throws -> JSONValue {
        guard let value = object[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "the member is missing"))
        }
        return value
    }
}

/// A step of a path for which no type has a key of its own.
enum PathKey: CodingKey {
    /// The place of an element in its array.
    case element(Int)
    /// The member in which classes keep their superclass's members.
    case superclass

    init?(stringValue: String) { nil }
    init?(intValue: Int) { self = .element(intValue) }

    var stringValue: String { intValue.map(String.init) ?? "super" }

    var intValue: Int? {
        if case .element(let place) = self { place } else { nil }
    }
}
