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

    /// Sees that the edge does what all of them are measured for: refuses requests without a token and with one that is
    /// forged, expired, or of another issuer; tells the upstream the user of a good one, and nothing that the client claims.
    func check(_ tokens: TokenSource) async throws {
        let good = try tokens.token(of: "check")
        let bad = [
            "without a token": nil, "forged": try tokens.forged(good),
            "expired": try tokens.token(of: "check") { $0.expiresAt = $0.issuedAt - 60 },
            "of another issuer": try tokens.token(of: "check") { $0.issuer = "elsewhere.example" },
        ]
        for (what, token) in bad {
            let answer = try await answer(to: token)
            guard answer.status == 401 else { throw UnexpectedReply(description: "\(name), \(what): \(answer.status)") }
        }
        let answer = try await answer(to: good)
        let seen = try JSONDecoder().decode(Seen.self, from: Data(answer.body))
        guard answer.status == 200, seen.user == tokens.subject(of: "check"), seen.authorization.isEmpty else {
            throw UnexpectedReply(
                description: "\(name), a good token: \(answer.status), not the user's id alone upstream")
        }
    }

    /// Over a connection of its own.
    private func answer(to token: String?) async throws -> LoadAnswer {
        let headers = LoadRequest.get("", bearer: token).headers + [("X-User-Id", "usr_claimed")]
        let connection = try await LoadConnection.open(port: port, tls: tls)
        return try await finally {
            try await connection.send(LoadRequest("GET", NginxUpstream.seenPath, headers: headers))
        } end: {
            await connection.close()
        }
    }

    private struct Seen: Decodable {
        let user: String
        let authorization: String
    }
}

/// The rounds of several edges in turn.
struct EdgeRounds: Sendable {
    static let gateway = "gateway"
    static let peers = ["haproxy", "envoy"]

    private var rounds: [String: [[Figure]]] = [:]

    mutating func add(_ round: [Figure], of edge: String) { rounds[edge, default: []].append(round) }

    /// Medians, and what the gateway's are in parts of a peer's.
    ///
    /// - Parameter bounds: of the ratios, by figure and peer.
    func figures(_ bounds: [String: [String: Figure.Bound]]) -> [Figure] {
        let own = Rounds.spread(rounds[Self.gateway] ?? [])
        let measured = ([Self.gateway] + Self.peers).flatMap { edge in
            Rounds.spread(rounds[edge] ?? []).map { figure in
                var figure = figure
                figure.name += ".\(edge)"
                return figure
            }
        }
        let ratios = Self.peers.flatMap { peer in
            let other = Rounds.spread(rounds[peer] ?? [])
            return own.filter { $0.unit != .cores && other.value($0.name) > 0 }.map {
                Figure(
                    "\($0.name).to-\(peer)", $0.value / other.value($0.name), .count, bound: bounds[$0.name]?[peer])
            }
        }
        return measured + ratios
    }

    /// How many peers were measured: without one of them a bound is missed.
    var peerCount: Figure {
        Figure(
            "peers", Double(Self.peers.count { rounds[$0] != nil }), .count, bound: .atLeast(Double(Self.peers.count)))
    }
}
