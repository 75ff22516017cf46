/// A set of ASCII characters as two words, so that a look-up needs no memory.
struct ASCIISet: Sendable {
    let low: UInt64
    let high: UInt64

    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Whether `byte` is in the set; bytes above 127 are in none.
    func contains(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? low : byte < 128 ? high : 0
        return (word >> UInt64(byte & 63)) & 1 == 1
    }

    /// The characters of a token (RFC 9110 section 5.6.2).
    static var token: ASCIISet { ASCIISet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }
    /// The characters of a path: RFC 3986 `pchar`, `/`, and `[ ] | ^ { }`, which browsers send unescaped. `;` is missing, since
    /// path parameters give one path two readings (security guide R-88).
    static var path: ASCIISet { ASCIISet(low: 0x27FF_FFF2_0000_0000, high: 0x7FFF_FFFE_EFFF_FFFF) }
    /// The characters of a query: those that browsers leave unescaped, without fragment and backslash.
    static var query: ASCIISet { ASCIISet(low: 0xAFFF_FFF2_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF) }
    /// The characters of a host's name that are not escaped: RFC 3986 `unreserved` and `sub-delims`.
    static var registeredName: ASCIISet { ASCIISet(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }
    /// The characters of an upstream's name or IP address: letters, digits and `-._~:[]`.
    static var host: ASCIISet { ASCIISet(low: 0x07FF_6000_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE) }
}
