import AuthAPI
import StrictJSON
import Synchronization

/// The JSON body of a client's request, parsed once, when it is first needed. Its size was checked before it was read.
final class JSONBody: Sendable {
    private static let depthMax = 16
    private static let nameBytesMax = 64

    private let text: [UInt8]
    /// The parsed body, kept only until it is decoded: it takes many times the memory of its text.
    private let parsed = Mutex<Result<JSONValue, StrictJSONError>?>(nil)

    init(_ text: [UInt8]) { self.text = text }

    /// The names of the members of a body that is an object; empty for every other body.
    var names: Set<String> {
        guard case .success(.object(let object)) = value(keeping: true) else { return [] }
        return Set(object.members.map(\.name))
    }

    /// Whether the body states nothing: it is empty, or an object without members.
    var isNothing: Bool { text.isEmpty || text.lazy.filter { !" \n\r\t".utf8.contains($0) }.elementsEqual("{}".utf8) }

    /// Returns the body as it is.
    func whole() throws(Refusal) -> JSONValue {
        do throws(StrictJSONError) {
            return try value(keeping: false).get()
        } catch {
            throw .invalidBody(Self.fault(error))
        }
    }

    /// Decodes the body. Unknown members are skipped, never assigned.
    func decode<Value: Decodable>(_ type: Value.Type) throws(Refusal) -> Value { try read(type) { $0 } }

    /// Decodes the body as `decode` does, or returns `nil` if it is empty.
    func decodeIfSent<Value: Decodable>(_ type: Value.Type) throws(Refusal) -> Value? {
        try text.isEmpty ? nil : decode(type)
    }

    /// Decodes the body as `decode` does, for members whose names the policy defines.
    func members<Value>(_ reader: (KeyedDecodingContainer<MemberName>) throws -> Value) throws(Refusal) -> Value {
        try read(Members.self) { try reader($0.all) }
    }

    private struct Members: Decodable {
        let all: KeyedDecodingContainer<MemberName>

        init(from decoder: any Decoder) throws { all = try decoder.container(keyedBy: MemberName.self) }
    }

    private func read<Body: Decodable, Value>(
        _ type: Body.Type, _ reader: (Body) throws -> Value
    ) throws(Refusal) -> Value {
        do {
            return try reader(try StrictJSON.decode(type, from: try value(keeping: false).get()))
        } catch {
            throw .invalidBody(Self.fault(error))
        }
    }

    private func value(keeping isKept: Bool) -> Result<JSONValue, StrictJSONError> {
        let limits = StrictJSON.Limits(bytesMax: text.count, depthMax: Self.depthMax)
        return parsed.withLock { parsed in
            let value = parsed ?? Result { () throws(StrictJSONError) in try StrictJSON.parse(text, limits: limits) }
            parsed = isKept ? value : nil
            return value
        }
    }

    private static func fault(_ error: any Error) -> BodyFault {
        switch error {
        case let error as StrictJSONError: error.member.flatMap(shown).map { .brokenMember($0) } ?? .notJSON
        case DecodingError.keyNotFound(let key, _): .missing(member: key.stringValue)
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty
                ? .notAnObject : .wrongType(member: context.codingPath.map(\.stringValue).joined(separator: "."))
        default: .unfit
        }
    }

    /// Returns a name that the client chose if it is short and plain, since only such a name is repeated to the client.
    private static func shown(_ name: String) -> String? {
        (1...nameBytesMax).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? name : nil
    }
}
