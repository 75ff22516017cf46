import AccessTokens
import CryptoPrimitives
import Policies

/// The headers that identify the user or the client to an upstream. The client's own copies are removed before (security guide R-86).
enum IdentityHeaders {
    /// Returns the identity as lines of a head, or `nil` if a claim contains bytes that no header may (security guide R-82).
    ///
    /// - Parameters:
    ///   - legacyID: the user's id at the service from which they were imported. All but visible ASCII, and `%` itself, is written with
    ///     escapes (RFC 3986 section 2.1).
    ///   - actorID: the id of the person who acts as the user.
    static func lines(
        userID: String, sessionID: String, role: String?, legacyID: String? = nil, actorID: String? = nil
    ) -> [UInt8]? {
        guard [userID, sessionID, role, actorID].allSatisfy({ $0.map(isSafe) ?? true }) else { return nil }
        var lines: [UInt8] = []
        lines.reserveCapacity(64 + userID.utf8.count + sessionID.utf8.count + (role?.utf8.count ?? 0))
        append("X-User-Id: ", userID, to: &lines)
        append("X-Session-Id: ", sessionID, to: &lines)
        if let role { append("X-User-Role: ", role, to: &lines) }
        if let legacyID { append("X-User-Legacy-Id: ", escaped(legacyID), to: &lines) }
        if let actorID { append("X-Acting-Admin: ", actorID, to: &lines) }
        return lines
    }

    /// Returns claims as lines of a head, those that the token has.
    ///
    /// All but visible ASCII, `%` itself and `,` is written with escapes (RFC 3986 section 2.1). The items of a list have commas between
    /// them.
    static func lines(_ headers: [ClaimHeader], of claims: [String: ClaimValue]) -> [UInt8] {
        var lines: [UInt8] = []
        for header in headers {
            guard let value = claims[header.claim] else { continue }
            append("\(header.name): ", text(value), to: &lines)
        }
        return lines
    }

    private static func text(_ value: ClaimValue) -> String {
        switch value {
        case .string(let string): escaped(string, ",")
        case .integer(let integer): String(integer)
        case .bool(let bool): String(bool)
        case .strings(let strings): strings.map { escaped($0, ",") }.joined(separator: ",")
        }
    }

    /// Returns the id of a client, which has neither a user nor a session, as a line of a head.
    static func lines(clientID: String) -> [UInt8]? {
        isSafe(clientID) ? Array("X-Latchkey-Client: \(clientID)\r\n".utf8) : nil
    }

    private static func append(_ start: String, _ value: String, to lines: inout [UInt8]) {
        lines.append(contentsOf: start.utf8)
        lines.append(contentsOf: value.utf8)
        lines.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
    }

    /// Returns the signed identity proof as a line of a head.
    static func line(proof: String) -> [UInt8] { Array("X-Latchkey-Identity: \(proof)\r\n".utf8) }

    /// - Parameter more: characters that are escaped too.
    private static func escaped(_ value: String, _ more: String = "") -> String {
        value.utf8.reduce(into: "") { text, byte in
            let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%") && !more.utf8.contains(byte)
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
        }
    }

    private static func isSafe(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 256 && value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
