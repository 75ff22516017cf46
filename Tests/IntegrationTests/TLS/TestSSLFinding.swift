import FoundationEssentials
import TestSupport

/// One thing that testssl.sh has found at a server.
struct TestSSLFinding: Decodable, Sendable, Equatable, CustomStringConvertible {
    /// The time limit for its scan of one address.
    private static let limitSeconds = 600
    /// The severities that count as faults, worst first. A warning only names what the local OpenSSL is too new to try.
    private static let faults: Set<String> = ["CRITICAL", "HIGH", "MEDIUM", "FATAL"]
    /// Findings that mean that the scan, or a good part of it, was aborted, at any severity.
    private static let obstacles: Set<String> = ["scanProblem", "host_certificate_Problem"]
    /// Findings about the test's own certificate: its authority is unknown to root stores and revokes nothing; it expires
    /// soon.
    private static let certificates = [
        "cert_chain_of_trust", "cert_trust", "cert_revocation", "cert_validityPeriod", "cert_expirationStatus",
        "cert_notAfter",
    ]

    let id: String
    let severity: String
    let finding: String

    var description: String { "\(id): \(severity): \(finding)" }

    /// Whether it is of MEDIUM or above and no matter of the test's certificate, or kept testssl.sh from looking.
    var isFault: Bool {
        Self.obstacles.contains(id)
            || (Self.faults.contains(severity) && !Self.certificates.contains { id == $0 || id.hasPrefix($0 + " ") })
    }

    /// Everything that testssl.sh finds at a port of the loopback.
    static func all(atPort port: Int) async throws -> [TestSSLFinding] {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        let file = folder + "testssl-\(UUID().uuidString).json"
        let outcome = try await Shell.run(
            """
            timeout \(limitSeconds) testssl --quiet --color 0 --warnings batch --nodns none --ip 127.0.0.1 \
            --jsonfile '\(file)' localhost:\(port) </dev/null
            """, in: folder)
        guard let data = FileManager.default.contents(atPath: file) else {
            throw TestAuthority.Failure(description: "testssl: \(outcome.output.suffix(500))")
        }
        try FileManager.default.removeItem(atPath: file)
        LongRun.report(outcome.output)
        return try JSONDecoder().decode([TestSSLFinding].self, from: data)
    }
}
