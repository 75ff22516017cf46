/// What a request's Authorization header says (RFC 6750 section 2.1); tokens in URLs and bodies are never read.
enum BearerCredential: Equatable {
    case missing
    case token([UInt8])
    /// More than one header, another scheme, or characters no token has.
    case malformed

    init(_ head: RequestHead) {
        let values = head.all("authorization")
        guard let value = values.first else {
            self = .missing
            return
        }
        self = values.count == 1 ? Self(parsing: value) : .malformed
    }

    /// Reads a header's value.
    init(parsing value: [UInt8]) {
        guard value.count > Self.scheme.count,
            zip(value, Self.scheme).allSatisfy({ $0 | 0x20 == $1 || ($0 == $1) })
        else {
            self = .malformed
            return
        }
        let token = value.dropFirst(Self.scheme.count).drop { $0 == UInt8(ascii: " ") }
        self = !token.isEmpty && token.allSatisfy(Self.isTokenCharacter) ? .token(Array(token)) : .malformed
    }

    /// Lower case; the scheme's case does not count (RFC 9110 section 11.1).
    private static let scheme = Array("bearer ".utf8)

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
