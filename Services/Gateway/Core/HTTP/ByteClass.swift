/// Classes of bytes in HTTP messages, looked up in tables.
enum ByteClass {
    private static let tokenTable = table { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
    private static let pathTable = table { byte in
        // RFC 3986 pchar and "/", but no ";": path parameters make two readings of one path (security guide R-88).
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-._~!$&'()*+,=:@/%".utf8.contains(byte)
        }
    }

    /// A character of a token (RFC 9110 section 5.6.2).
    static func isToken(_ byte: UInt8) -> Bool { tokenTable[Int(byte)] }
    /// A character of a field value; neither CR, LF, NUL nor any other control but tab (section 5.5).
    static func isFieldValue(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == 0x09 }
    /// A character of a path that has one reading.
    static func isPath(_ byte: UInt8) -> Bool { pathTable[Int(byte)] }
    /// A character of a query: visible ASCII, no fragment.
    static func isQuery(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "#") }
    /// A decimal digit.
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The value of a hexadecimal digit.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// `byte` in lower case.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func table(_ contains: (UInt8) -> Bool) -> [Bool] { (0...255).map { contains(UInt8($0)) } }
}
