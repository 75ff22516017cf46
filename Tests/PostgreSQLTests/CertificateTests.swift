import Logging
import Storage
import TestSupport
import Testing

@testable import PostgreSQL

/// TLS with `verify-full` to a server that has a certificate of its own authority.
@Suite(.timeLimit(.minutes(5))) struct CertificateTests {
    @Test func `a certificate counts if the authority and the host name are right`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            let folder = server.directory + "/certificates"
            let authority = try await TestAuthority.make(in: folder)
            let other = try await TestAuthority.make("other", in: folder)
            let certificate = try await authority.issue("server", .init(names: ["localhost"]))
            try await serve(certificate, server)
            let schema = try await DatabaseUnderTest(url: server.url).configuration.schema

            func open(_ host: String, _ mode: String, trusting authority: TestAuthority) throws {
                let url = try DatabaseURL(
                    "postgres://postgres@\(host):\(server.port)/postgres?sslmode=\(mode)&sslrootcert=\(authority.certificate)"
                )
                let configuration = PostgreSQLConfiguration(
                    url: url, schema: schema, isProduction: true, durability: .unchecked)
                _ = try PostgreSQLDatabase.open(configuration, migrations: [], logger: Logger(label: "test"))
            }
            try open("localhost", "verify-full", trusting: authority)
            try open("127.0.0.1", "verify-ca", trusting: authority)
            #expect { try open("localhost", "verify-full", trusting: other) } throws: {
                isRefusal($0, "certificate verify failed")
            }
            #expect { try open("127.0.0.1", "verify-full", trusting: authority) } throws: {
                isRefusal($0, "does not match host name")
            }
        }
    }

    /// Has the server use the certificate, and accept no other connections by TCP.
    private func serve(_ certificate: TestCertificate, _ server: PostgreSQLServer) async throws {
        let owned = try await Shell.run(
            "chmod a+rX . certificates && if ((EUID == 0)); then chown postgres '\(certificate.key)'; fi",
            in: server.directory)
        try #require(owned.isSuccess, "\(owned.output)")
        try server.set("ssl_cert_file = '\(certificate.certificate)'")
        try server.set("ssl_key_file = '\(certificate.key)'")
        try server.set("ssl = on")
        try await eventually("the server offers TLS") { try await server.psql("SHOW ssl") == "on" }
    }

    private func isRefusal(_ error: any Error, _ words: String) -> Bool {
        guard let error = error as? StorageError else { return false }
        return error.code == .io && error.message.contains(words) && !error.message.contains("\n")
    }
}
