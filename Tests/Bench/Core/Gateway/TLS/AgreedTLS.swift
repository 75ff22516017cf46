import TestSupport

/// The parameters that an edge negotiates with OpenSSL's own client, which leaves it the choice: with different ones the
/// edges would not be compared on the same work.
enum AgreedTLS {
    /// - Throws: `UnexpectedReply` unless the edges agree to the same, TLS 1.3, and resume sessions.
    static func check(_ edges: [EdgeUnderTest], trusting authority: String, in folder: String) async throws {
        var agreed: [String] = []
        for edge in edges {
            agreed.append(try await summary(edge.port, authority, folder))
            Report.say("  \(edge.name): \(agreed.last ?? "")")
        }
        let isGood = agreed.allSatisfy { $0.contains("New, TLSv1.3,") && $0.contains("Reused, TLSv1.3,") }
        guard isGood, Set(agreed).count == 1 else {
            throw UnexpectedReply(description: "the edges agree to \(agreed)")
        }
    }

    /// Returns what the client prints of two connections, the second with the session of the first: version, cipher suite,
    /// key exchange and signature.
    private static func summary(_ port: Int, _ authority: String, _ folder: String) async throws -> String {
        let session = "\(folder)/session-\(port)"
        let client = """
            timeout 10 openssl s_client -connect 127.0.0.1:\(port) -servername \(LoadTLS.serverName) \
            -CAfile '\(authority)' -verify_return_error
            """
        // Tickets come behind the handshake, from BoringSSL with the first answer.
        let script = """
            ask() { (printf 'GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'; sleep 1) | \(client) "$@" 2>&1; }
            { ask -sess_out '\(session)'; ask -sess_in '\(session)'; } |
                grep -aE '^(New|Reused|Server Temp Key|Peer signature type)' | sort -u | tr '\\n' ' '
            """
        return try await Shell.run(script, in: folder).output
    }
}
