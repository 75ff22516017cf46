import TestSupport

/// The parameters that an edge negotiates with OpenSSL's own client, which leaves it the choice: with different ones the
/// edges would not be compared on the same work.
package struct AgreedTLS: Sendable, Equatable {
    /// The version in OpenSSL's spelling.
    package let version: String
    package let cipherSuite: String
    package let keyExchange: String
    package let signature: String
    /// Whether a second connection with the first one's session was spared the certificate.
    package let isResumed: Bool
    /// How many tickets came behind the handshake.
    package let ticketCount: Int

    /// Connects twice, the second time with what the first was given.
    static func at(_ port: Int, trusting authority: String, in folder: String) async throws -> AgreedTLS {
        let session = "\(folder)/session-\(port)"
        let client = """
            timeout 10 openssl s_client -connect 127.0.0.1:\(port) -servername \(LoadTLS.serverName) \
            -CAfile '\(authority)' -verify_return_error
            """
        // Tickets come behind the handshake, from BoringSSL with the first answer.
        let request = "(printf 'GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'; sleep 1)"
        let first = try await Shell.run("\(request) | \(client) -sess_out '\(session)' 2>&1", in: folder)
        let second = try await Shell.run("\(request) | \(client) -sess_in '\(session)' 2>&1", in: folder)
        guard let agreed = parse(first.output, again: second.output) else {
            throw EdgeUnderTest.NotAlike(description: "port \(port): no TLS: \(first.output.suffix(300))")
        }
        return agreed
    }

    /// Reads what `openssl s_client` printed of both connections; nil if the first has failed.
    package static func parse(_ first: String, again second: String) -> AgreedTLS? {
        let lines = first.split(separator: "\n")
        func rest(_ beginning: String) -> Substring? {
            lines.first { $0.hasPrefix(beginning) }?.dropFirst(beginning.count)
        }
        guard let agreement = rest("New, "), let version = agreement.split(separator: ",").first, version != "(NONE)",
            let cipherSuite = agreement.split(separator: " ").last, let key = rest("Server Temp Key: "),
            let signature = rest("Peer signature type: ")
        else { return nil }
        let tickets = lines.count { $0.hasPrefix("Post-Handshake New Session Ticket arrived") }
        return AgreedTLS(
            version: String(version), cipherSuite: String(cipherSuite),
            keyExchange: key.split(separator: ",").first.map(String.init) ?? "", signature: String(signature),
            isResumed: second.contains("\nReused, "), ticketCount: tickets)
    }

    /// - Throws: `EdgeUnderTest.NotAlike` unless the edges agree to the same, TLS 1.3, and resume sessions.
    static func check(_ edges: [EdgeUnderTest], trusting authority: String, in folder: String) async throws {
        var expected: AgreedTLS?
        for edge in edges {
            let agreed = try await at(edge.port, trusting: authority, in: folder)
            Report.say("  \(edge.name): \(agreed.summary)")
            guard agreed.version == "TLSv1.3", agreed.isResumed, agreed.isLike(expected ?? agreed) else {
                throw EdgeUnderTest.NotAlike(description: "\(edge.name) agrees to \(agreed.summary)")
            }
            expected = expected ?? agreed
        }
    }

    /// How many tickets an edge gives is its own affair.
    func isLike(_ other: AgreedTLS) -> Bool {
        version == other.version && cipherSuite == other.cipherSuite && keyExchange == other.keyExchange
            && signature == other.signature && isResumed == other.isResumed
    }

    var summary: String {
        "\(version), \(cipherSuite), \(keyExchange), \(signature), \(isResumed ? "resumes" : "does not resume"), "
            + "\(ticketCount) tickets"
    }
}
