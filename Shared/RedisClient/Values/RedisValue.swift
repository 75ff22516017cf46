/// A reply of Redis (RESP2) other than an error; error replies are always thrown or `.failure`, never a value.
package enum RedisValue: Sendable, Equatable {
    /// A null bulk string or null array: the key or element does not exist.
    case null
    case integer(Int64)
    /// A bulk string: arbitrary bytes.
    case string([UInt8])
    /// A simple string such as `OK`.
    case status(String)
    case array([RedisValue])
}

extension RedisValue {
    /// Whether the reply is null.
    package var isNull: Bool { self == .null }

    /// The bytes of a bulk string.
    package var bytes: [UInt8]? {
        guard case .string(let bytes) = self else { return nil }
        return bytes
    }

    /// The text of a bulk string in valid UTF-8, or of a status.
    package var text: String? {
        switch self {
        case .string(let bytes): String(validating: bytes, as: UTF8.self)
        case .status(let text): text
        case .null, .integer, .array: nil
        }
    }

    /// The number of an integer reply, or of a bulk string of decimal digits (as `GET` returns a counter).
    package var integerValue: Int64? {
        switch self {
        case .integer(let number): number
        case .string: text.flatMap { Int64($0) }
        case .null, .status, .array: nil
        }
    }

    /// The elements of an array reply.
    package var arrayValue: [RedisValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}
