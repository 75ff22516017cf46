import AuthAPI
import StrictJSON

/// Reads the JSON bodies of clients. Their size was checked before they were read.
enum JSONBody {
    static let depthMax = 16
    private static let nameBytesMax = 64

    /// Decodes the body. Unknown members are skipped, never assigned.
    static func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws(Refusal) -> Value {
        try read(type, body) { $0 }
    }

    /// Decodes the body as `decode` does, for members whose names the policy defines.
    static func members<Value>(
        _ body: [UInt8], _ reader: (KeyedDecodingContainer<MemberName>) throws -> Value
    ) throws(Refusal) -> Value {
        try read(Members.self, body) { try reader($0.all) }
    }

    private struct Members: Decodable {
        let all: KeyedDecodingContainer<MemberName>

        init(from decoder: any Decoder) throws { all = try decoder.container(keyedBy: MemberName.self) }
    }

    private static func read<Body: Decodable, Value>(
        _ type: Body.Type, _ body: [UInt8], _ reader: (Body) throws -> Value
    ) throws(Refusal) -> Value {
        do {
            return try reader(try StrictJSON.decode(type, from: body, limits: limits(body)))
        } catch let error as StrictJSONError {
            throw .invalidBody(fault(error))
        } catch let error as DecodingError {
            throw .invalidBody(fault(error))
        } catch {
            throw .invalidBody(.unfit)
        }
    }

    /// Returns the names of the members of a body that is an object; empty for every other body.
    static func members(of body: [UInt8]) -> Set<String> {
        do {
            guard case .object(let object) = try StrictJSON.parse(body, limits: limits(body)) else { return [] }
            return Set(object.members.map(\.name))
        } catch {
            return []
        }
    }

    /// Whether the body states nothing: it is empty, or an object without members.
    static func isNothing(_ body: [UInt8]) -> Bool {
        guard !body.isEmpty else { return true }
        do {
            guard case .object(let object) = try StrictJSON.parse(body, limits: limits(body)) else { return false }
            return object.members.isEmpty
        } catch {
            return false
        }
    }

    private static func limits(_ body: [UInt8]) -> StrictJSON.Limits {
        StrictJSON.Limits(bytesMax: body.count, depthMax: depthMax)
    }

    /// Describes an error. The client chose the name of the member, so only a short and plain one is repeated to it.
    private static func fault(_ error: StrictJSONError) -> BodyFault {
        guard let member = error.member, (1...nameBytesMax).contains(member.utf8.count),
            member.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return .notJSON }
        return .brokenMember(member)
    }

    private static func fault(_ error: DecodingError) -> BodyFault {
        switch error {
        case .keyNotFound(let key, _): .missing(member: key.stringValue)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? .notAnObject : .wrongType(member: context.codingPath.map(\.stringValue).joined(separator: "."))
        @unknown default: .unfit
        }
    }
}
