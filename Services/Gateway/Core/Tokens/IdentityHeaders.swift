import CryptoPrimitives

/// The headers by which an upstream knows who calls; client copies are removed before (security guide R-86).
enum IdentityHeaders {
    /// Identity as lines of a head, or nil when a claim holds bytes that no header may (security guide R-82).
    ///
    /// - Parameter legacyID: what the user was called where he was moved in from; written with escapes (RFC 3986 section 2.1)
    ///   for all but visible ASCII, and for `%` itself.
    static func lines(userID: String, sessionID: String, role: String?, legacyID: String? = nil) -> [UInt8]? {
        guard isSafe(userID), isSafe(sessionID), role.map(isSafe) ?? true else { return nil }
        var lines: [UInt8] = []
        lines.reserveCapacity(64 + userID.utf8.count + sessionID.utf8.count + (role?.utf8.count ?? 0))
        append("X-User-Id: ", userID, to: &lines)
        append("X-Session-Id: ", sessionID, to: &lines)
        if let role { append("X-User-Role: ", role, to: &lines) }
        if let legacyID { append("X-User-Legacy-Id: ", escaped(legacyID), to: &lines) }
        return lines
    }

    private static func append(_ start: String, _ value: String, to lines: inout [UInt8]) {
        lines.append(contentsOf: start.utf8)
        lines.append(contentsOf: value.utf8)
        lines.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
    }

    /// The signed proof of identity as a line of a head.
    static func line(proof: String) -> [UInt8] { Array("X-Latchkey-Identity: \(proof)\r\n".utf8) }

    private static func escaped(_ value: String) -> String {
        value.utf8.reduce(into: "") { text, byte in
            let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%")
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
        }
    }

    private static func isSafe(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 256 && value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
