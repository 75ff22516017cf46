import FoundationEssentials
import TestSupport
import Testing

/// The findings of testssl.sh at the gateway, a tool by which others judge it.
extension Live {
    @Suite(.serialized, .timeLimit(.minutes(20)))
    struct TestSSLTests {
        private static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/testssl")
        /// A scan makes a few hundred findings; fewer mean that it was broken off.
        private static let findingsMin = 80

        @Test(.enabled(if: LongRun.isOn && isInstalled), arguments: ["1.2", "1.3"])
        func `testssl finds nothing of MEDIUM or above but what the test's certificate is`(
            minimum: String
        ) async throws {
            let port = try await FreePort.find()
            try await LatchkeyStack.run(
                name: "testssl-\(minimum)", environment: ["LATCHKEY_TLS_PORT": "\(port)"],
                policy: ["    minimum: \"1.3\"": "    minimum: \"\(minimum)\" "]
            ) { _ in
                let findings = try await TestSSLFinding.all(atPort: port)
                #expect(findings.count >= Self.findingsMin)
                #expect(findings.filter(\.isFault).map(\.description) == [])
                let offered = findings.filter { ["TLS1", "TLS1_1", "TLS1_2", "TLS1_3"].contains($0.id) }
                    .filter { !$0.finding.hasPrefix("not offered") }.map(\.id)
                #expect(offered == (minimum == "1.2" ? ["TLS1_2", "TLS1_3"] : ["TLS1_3"]))
            }
        }
    }
}

struct TestSSLFindingTests {
    @Test func `a weak protocol and a scan that was broken off are faults, the test's certificate is none`() throws {
        let report = """
            [{"id": "TLS1", "ip": "localhost/127.0.0.1", "port": "8443", "severity": "LOW", "finding": "offered"},
             {"id": "cipherlist_3DES_IDEA", "ip": "a", "port": "1", "severity": "MEDIUM", "finding": "offered"},
             {"id": "BREACH", "ip": "a", "port": "1", "severity": "OK", "finding": "not vulnerable"},
             {"id": "NPN", "ip": "a", "port": "1", "severity": "WARN", "finding": "not tested"},
             {"id": "cert_chain_of_trust <cert#1>", "ip": "a", "port": "1", "severity": "CRITICAL", "finding": "failed"},
             {"id": "cert_signatureAlgorithm", "ip": "a", "port": "1", "severity": "MEDIUM", "finding": "SHA1"},
             {"id": "scanProblem", "ip": "a", "port": "1", "severity": "WARN", "finding": "interrupted"}]
            """
        let findings = try JSONDecoder().decode([TestSSLFinding].self, from: Data(report.utf8))
        #expect(
            findings.filter(\.isFault).map(\.id) == [
                "cipherlist_3DES_IDEA", "cert_signatureAlgorithm", "scanProblem",
            ])
    }
}
