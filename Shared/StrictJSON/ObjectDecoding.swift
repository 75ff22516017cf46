/// The members of one object, as `Decodable` types ask for them.
struct ObjectDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: JSONObject
    let codingPath: [any CodingKey]

    init(_ object: JSONObject, path: [any CodingKey]) {
        self.object = object
        codingPath = path
    }

    var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    // The kinds that nearly every member has are read where they stand; all others decode themselves.

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        if case .bool(let bool) = object[key.stringValue] { return bool }
        return try decoder(key).decode(type)
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if case .string(let string) = object[key.stringValue] { return string }
        return try decoder(key).decode(type)
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        if case .integer(let integer) = object[key.stringValue] { return integer }
        return try decoder(key).decode(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: decoder(key))
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        switch object[key.stringValue] {
        case nil, .null: nil
        case .string(let string): string
        case let value?: try ValueDecoder(value, path: codingPath + [key]).decode(type)
        }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let value = object[key.stringValue], value != .null else { return nil }
        return try Value(from: ValueDecoder(value, path: codingPath + [key]))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { ValueDecoder(object["super"] ?? .null, path: codingPath) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let value = object[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "the member is missing"))
        }
        return ValueDecoder(value, path: codingPath + [key])
    }
}
