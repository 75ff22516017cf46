/// One argument of a command, sent as a length and bytes: no content can be mistaken for protocol.
package enum RedisArgument: Sendable, Equatable {
    case text(String)
    case bytes([UInt8])
    case integer(Int64)

    /// Creates an argument from UTF-8 text.
    package init(_ text: String) { self = .text(text) }

    /// Creates an argument from arbitrary bytes.
    package init(_ bytes: [UInt8]) { self = .bytes(bytes) }

    /// Creates an argument from a number, in decimal digits.
    package init(_ integer: Int64) { self = .integer(integer) }

    /// Creates an argument from a number, in decimal digits.
    package init(_ integer: Int) { self = .integer(Int64(integer)) }
}

extension RedisArgument: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self = .text(value) }
}

extension RedisArgument: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}
