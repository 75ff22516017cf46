import AccessTokens
import FoundationEssentials
import Glibc

/// An edge that checks tokens, on a port of the loopback.
struct EdgeUnderTest: Sendable {
    /// The name in figures.
    let name: String
    let port: Int
    /// The TLS settings; `nil` for plain HTTP.
    var tls: LoadTLS?
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
            let answer = try await answer(to: token)
            guard answer.status == 401 else { throw NotAlike(description: "\(name), \(what): \(answer.status)") }
        }
        let answer = try await answer(to: good)
        let seen = try JSONDecoder().decode(Seen.self, from: Data(answer.body))
        guard answer.status == 200, seen.user == tokens.subject(of: "check"), seen.authorization.isEmpty else {
            throw NotAlike(description: "\(name), a good token: \(answer.status), not the user's id alone upstream")
        }
    }

    /// Over a connection of its own.
    private func answer(to token: String?) async throws -> LoadAnswer {
        let headers = [("X-User-Id", "usr_claimed")] + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
        let connection = try await LoadConnection.open(port: port, tls: tls)
        let answer = try await connection.send(LoadRequest("GET", NginxUpstream.seenPath, headers: headers))
        await connection.close()
        return answer
    }

    private struct Seen: Decodable {
        let user: String
        let authorization: String
    }
}
