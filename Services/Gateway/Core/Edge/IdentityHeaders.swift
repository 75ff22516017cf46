/// The headers by which an upstream knows who calls; client copies are removed before (security guide R-86).
enum IdentityHeaders {
    /// Identity as headers, or nil when a claim holds bytes that no header may (security guide R-82).
    static func fields(for identity: TokenIdentity) -> [(String, String)]? {
        var fields = [("X-User-Id", identity.userID), ("X-Session-Id", identity.sessionID)]
        if let role = identity.role { fields.append(("X-User-Role", role)) }
        return fields.allSatisfy({ isSafe($0.1) }) ? fields : nil
    }

    private static func isSafe(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 256 && value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
