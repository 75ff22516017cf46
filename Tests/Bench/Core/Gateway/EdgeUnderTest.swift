import AccessTokens
import FoundationEssentials
import Glibc
import TestSupport

/// An edge that checks tokens, on a port of the loopback.
struct EdgeUnderTest: Sendable {
    /// As figures name it.
    let name: String
    let port: Int
    let process: pid_t

    /// An edge that lets through what it must refuse, or keeps from the upstream what it needs: no comparison means anything.
    struct NotAlike: Error, CustomStringConvertible { let description: String }

    /// Sees that the edge does what all of them are measured for: refuses requests without a token and with one that is
    /// forged, expired, or of another issuer; tells the upstream the user of a good one, and nothing that the client claims.
    func check(_ tokens: TokenSource) async throws {
        let good = try tokens.token(of: "check")
        let bad = [
            "without a token": nil, "forged": try tokens.forged(good),
            "expired": try tokens.token(of: "check") { $0.expiresAt = $0.issuedAt - 1 },
            "of another issuer": try tokens.token(of: "check") { $0.issuer = "elsewhere.example" },
        ]
        for (what, token) in bad {
            let answer = try await client.send("GET", NginxUpstream.seenPath, headers: Self.headers(token))
            guard answer.status == 401 else { throw NotAlike(description: "\(name), \(what): \(answer.status)") }
        }
        let answer = try await client.send("GET", NginxUpstream.seenPath, headers: Self.headers(good))
        let seen = try answer.decoded(Seen.self)
        guard answer.status == 200, seen.user == tokens.subject(of: "check"), seen.authorization.isEmpty else {
            throw NotAlike(description: "\(name), a good token: \(answer.status), not the user's id alone upstream")
        }
    }

    private var client: TestHTTPClient { TestHTTPClient(base: "http://127.0.0.1:\(port)") }

    private static func headers(_ token: String?) -> [(String, String)] {
        [("X-User-Id", "usr_claimed")] + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
    }

    private struct Seen: Decodable {
        let user: String
        let authorization: String
    }
}
