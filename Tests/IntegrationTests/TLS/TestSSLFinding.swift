import FoundationEssentials
import TestSupport

/// One thing that testssl.sh has found at a server.
struct TestSSLFinding: Decodable, Sendable, Equatable, CustomStringConvertible {
    /// What its scan of one address may take.
    private static let limitSeconds = 600
    /// What is wrong, from worst on. A warning says what the local OpenSSL, which is too new for it, could not try.
    private static let faults: Set<String> = ["CRITICAL", "HIGH", "MEDIUM", "FATAL"]
    /// What ended the scan, or a good part of it, whatever they are called.
    private static let obstacles: Set<String> = ["scanProblem", "host_certificate_Problem"]
    /// Of the certificate itself, which is a test's: nobody's roots have its authority, which revokes nothing; it ends soon.
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
