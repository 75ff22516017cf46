/// The rule for key ids: they come from headers that an attacker can write, and are used in logs and lookups (security
/// guide R-07).
package enum KeyID {
    /// Whether `id` is 1–128 characters of `A-Za-z0-9._-`.
    package static func isValid(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= TokenLimits.keyIDBytesMax && id.utf8.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
