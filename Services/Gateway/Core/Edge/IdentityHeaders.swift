/// The headers by which an upstream knows who calls; client copies are removed before (security guide R-86).
enum IdentityHeaders {
    /// Identity as lines of a head, or nil when a claim holds bytes that no header may (security guide R-82).
    static func lines(userID: String, sessionID: String, role: String?) -> [UInt8]? {
        var fields = [("X-User-Id", userID), ("X-Session-Id", sessionID)]
        if let role { fields.append(("X-User-Role", role)) }
        guard fields.allSatisfy({ isSafe($0.1) }) else { return nil }
        return fields.flatMap { Array("\($0.0): \($0.1)\r\n".utf8) }
    }

    /// The signed proof of identity as a line of a head.
    static func line(proof: String) -> [UInt8] { Array("X-Latchkey-Identity: \(proof)\r\n".utf8) }

    private static func isSafe(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 256 && value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
