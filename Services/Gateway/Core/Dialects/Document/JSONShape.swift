import AuthAPI
import StrictJSON

/// The shape of a JSON value, as an API document states it. It is read from the types that decode and encode the bodies.
indirect enum JSONShape: Sendable, Equatable {
    /// A member of an object.
    struct Member: Sendable, Equatable {
        let name: String
        let shape: JSONShape
        var isRequired = true
    }

    case string, integer, boolean, null, any
    /// One of these texts.
    case word([String])
    case array(JSONShape)
    case either([JSONShape])
    /// An object with these members; the policy's attributes are further ones if `hasAttributes`.
    case object(name: String, [Member], hasAttributes: Bool = false)

    static func nullable(_ shape: JSONShape) -> JSONShape { .either([shape, .null]) }

    /// Reads the shape of a type's JSON by recording the members that it decodes.
    init<Value: Decodable>(of type: Value.Type) {
        do { self = try Self.read(type).shape } catch {
            preconditionFailure("\(type) has no recordable shape: \(error)")
        }
    }

    /// Reads the shape of bodies: a member that some of them lack is optional.
    init(merging bodies: [JSONValue]) {
        let objects = bodies.compactMap(\.objectValue)
        var members: [Member] = []
        for member in objects.flatMap(\.members) where !members.contains(where: { $0.name == member.name }) {
            let isRequired = objects.allSatisfy { $0[member.name] != nil }
            members.append(Member(name: member.name, shape: JSONShape(of: member.value), isRequired: isRequired))
        }
        self = .object(name: "", members)
    }

    private init(of value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .boolean
            case .integer, .double: .integer
            case .string: .string
            case .array: .array(.string)
            case .object: JSONShape(merging: [value])
            }
    }

    /// The members of an object; empty for every other shape.
    var members: [Member] { if case .object(_, let members, _) = self { members } else { [] } }

    fileprivate static func read<Value: Decodable>(_ type: Value.Type) throws -> (value: Value, shape: JSONShape) {
        let stated = type as? any ShapeStating.Type
        if let stated, let sample = stated.sample as? Value { return (sample, stated.shape) }
        if let cases = type as? any CaseIterable.Type, let (first, words) = words(cases), let value = first as? Value {
            return (value, .word(words))
        }
        let recorder = ShapeRecorder()
        let value = try Value(from: recorder)
        return (value, stated?.shape ?? .object(name: "\(type)", recorder.log.members))
    }

    private static func words<Words: CaseIterable>(_ type: Words.Type) -> (Any, [String])? {
        let words = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        return type.allCases.first.map { ($0, words) }
    }
}

/// A type whose shape is stated next to it, since its members are not those that it decodes.
protocol ShapeStating {
    static var shape: JSONShape { get }
    /// A value for the decoder of the type that contains it; `nil` if the type can be decoded from nothing.
    static var sample: Self? { get }
}

extension ShapeStating {
    static var sample: Self? { nil }
}

extension String: ShapeStating {
    static var shape: JSONShape { .string }
    static var sample: String? { "" }
}

extension Bool: ShapeStating {
    static var shape: JSONShape { .boolean }
    static var sample: Bool? { false }
}

extension Int: ShapeStating {
    static var shape: JSONShape { .integer }
    static var sample: Int? { 0 }
}

extension Int64: ShapeStating {
    static var shape: JSONShape { .integer }
    static var sample: Int64? { 0 }
}

extension Array: ShapeStating where Element: Decodable {
    static var shape: JSONShape { .array(JSONShape(of: Element.self)) }
    static var sample: [Element]? { [] }
}

extension PersonName: ShapeStating {
    static var shape: JSONShape { .either([.string, .object(name: "PersonNameComponents", [])]) }
}

extension UserAttributes: ShapeStating {
    static var shape: JSONShape { .object(name: "Attributes", [], hasAttributes: true) }
}

extension UserProfile: ShapeStating {
    static var shape: JSONShape {
        .object(
            name: "User",
            [
                .init(name: "id", shape: .string), .init(name: "phoneNumber", shape: .nullable(.string)),
                .init(name: "email", shape: .string, isRequired: false),
                .init(name: "name", shape: .nullable(.string)), .init(name: "role", shape: .string),
                .init(name: "createdAt", shape: .integer),
            ], hasAttributes: true)
    }
}

/// Records the members that a type decodes. A member is optional if the type first looks whether it is there.
private struct ShapeRecorder: Decoder {
    final class Log {
        var members: [JSONShape.Member] = []
        var optional: Set<String> = []
    }

    let log = Log()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members<Key>(log: log))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.unreadable }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.unreadable }

    fileprivate static var unreadable: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "the type has to state its shape"))
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let log: Log
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool {
            log.optional.insert(key.stringValue)
            return true
        }

        func decodeNil(forKey key: Key) throws -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let (value, shape) = try JSONShape.read(type)
            let name = key.stringValue
            log.members.append(.init(name: name, shape: shape, isRequired: !log.optional.contains(name)))
            return value
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw ShapeRecorder.unreadable }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw ShapeRecorder.unreadable
        }

        func superDecoder() throws -> any Decoder { throw ShapeRecorder.unreadable }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw ShapeRecorder.unreadable }
    }
}
