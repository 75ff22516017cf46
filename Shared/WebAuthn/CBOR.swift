import CryptoPrimitives

/// A data item of the subset of CBOR that WebAuthn uses (RFC 8949).
enum CBOR: Hashable, Sendable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    case map([CBOR: CBOR])
    case bool(Bool)
    case null

    /// Reads the single item of `bytes`; returns `nil` if it breaks a rule of `CBORReader`, or if bytes follow it.
    init?(_ bytes: [UInt8]) {
        var reader = CBORReader(rest: bytes[...])
        guard let item = reader.item(), reader.rest.isEmpty else { return nil }
        self = item
    }

    var bytesValue: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    var mapValue: [CBOR: CBOR]? {
        if case .map(let members) = self { members } else { nil }
    }
}

/// Reads CBOR strictly: definite lengths, shortest forms, no tags, no floating-point numbers, keys that are integers or
/// texts, and no key twice.
///
/// The order of keys is free, since authenticators and platforms differ in it. Nothing is reserved for a length before it
/// is compared with the bytes that are left.
struct CBORReader {
    /// The maximum number of arrays and maps inside each other.
    static let depthMax = 4
    /// The maximum number of members of an array or a map.
    static let membersMax: UInt64 = 32

    /// The bytes that are not read yet.
    private(set) var rest: ArraySlice<UInt8>

    /// Reads the next item, which is inside `depth` arrays and maps; returns `nil` if it breaks a rule.
    mutating func item(depth: Int = 0) -> CBOR? {
        guard let (majorType, argument) = head() else { return nil }
        switch majorType {
        case 0: return Int64(exactly: argument).map { .integer($0) }
        case 1: return Int64(exactly: argument).map { .integer(-1 - $0) }
        case 2: return take(argument).map { .bytes(Array($0)) }
        case 3: return take(argument).flatMap { String(validating: $0, as: UTF8.self) }.map { .text($0) }
        case 4: return array(argument, depth: depth + 1)
        case 5: return map(argument, depth: depth + 1)
        case 7: return Self.simple(argument)
        default: return nil
        }
    }

    /// Reads the major type and the argument in its shortest form (RFC 8949 §3, §4.2.1).
    private mutating func head() -> (majorType: UInt8, argument: UInt64)? {
        guard let first = rest.popFirst() else { return nil }
        let (majorType, detail) = (first >> 5, first & 0x1F)
        guard detail >= 24 else { return (majorType, UInt64(detail)) }
        // 28 to 30 are reserved, and 31 is an indefinite length.
        guard detail <= 27 else { return nil }
        let byteCount = UInt64(1) << UInt64(detail - 24)
        guard let digits = take(byteCount) else { return nil }
        let argument = BigEndian.number(digits)
        let least = byteCount == 1 ? 24 : UInt64(1) << (4 * byteCount)
        return argument >= least ? (majorType, argument) : nil
    }

    private mutating func take(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(rest.count) else { return nil }
        let taken = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return taken
    }

    private mutating func array(_ count: UInt64, depth: Int) -> CBOR? {
        guard depth <= Self.depthMax, count <= Self.membersMax else { return nil }
        var items: [CBOR] = []
        for _ in 0..<count {
            guard let item = item(depth: depth) else { return nil }
            items.append(item)
        }
        return .array(items)
    }

    private mutating func map(_ count: UInt64, depth: Int) -> CBOR? {
        guard depth <= Self.depthMax, count <= Self.membersMax else { return nil }
        var members: [CBOR: CBOR] = [:]
        for _ in 0..<count {
            guard let key = key(), let value = item(depth: depth), members.updateValue(value, forKey: key) == nil
            else { return nil }
        }
        return .map(members)
    }

    private mutating func key() -> CBOR? {
        switch item(depth: Self.depthMax) {
        case .integer(let label): .integer(label)
        case .text(let name): .text(name)
        default: nil
        }
    }

    /// Floating-point numbers and other simple values have arguments of their own, in the same major type.
    private static func simple(_ argument: UInt64) -> CBOR? {
        switch argument {
        case 20: .bool(false)
        case 21: .bool(true)
        case 22: .null
        default: nil
        }
    }
}
