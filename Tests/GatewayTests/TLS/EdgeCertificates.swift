import Foundation
import NIOSSL
import Policies
import TLSPairs
import TestSupport

@testable import EdgeHTTP

/// Certificates for an edge under test, and clients that trust their authority.
struct EdgeCertificates: Sendable {
    let authority: String
    let certificates: TLSCertificates
    let pairs: [TLSPair]

    /// Runs `body` with pairs of these names and hosts, made anew.
    static func run(
        _ wanted: [(name: String, hosts: [String])] = [("default", ["localhost", "127.0.0.1"])],
        minimum: EdgeTLSPolicy.Version = .tls13, _ body: (EdgeCertificates) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let authority = try await TestAuthority.make(in: folder)
            let pairs = try await issue(wanted, by: authority)
            try await body(
                EdgeCertificates(
                    authority: authority.certificate, certificates: try TLSCertificates(pairs, minimum: minimum),
                    pairs: pairs))
        }
    }

    /// Pairs of these names and hosts, of an authority that is gone.
    static func pairs(_ wanted: [(name: String, hosts: [String])]) async throws -> [TLSPair] {
        try await withFolder { try await issue(wanted, by: try await TestAuthority.make(in: $0)) }
    }

    static func issue(
        _ wanted: [(name: String, hosts: [String])], by authority: TestAuthority
    ) async throws -> [TLSPair] {
        var pairs: [TLSPair] = []
        for (name, hosts) in wanted {
            pairs.append(try pair(name, of: try await authority.issue(name, .init(names: hosts))))
        }
        return pairs
    }

    static func pair(_ name: String, of issued: TestCertificate) throws -> TLSPair {
        try TLSPair(
            name: name, certificatePEM: Array(try Data(contentsOf: URL(filePath: issued.certificate))),
            keyPEM: Array(try Data(contentsOf: URL(filePath: issued.key))))
    }

    static func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "edge-tls-\(UUID().uuidString)")
            .path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    /// Returns the client's side of TLS, which by default checks the server's name.
    ///
    /// - Parameters:
    ///   - name: that is asked for (SNI) and has to be certified; nil: the address is.
    ///   - change: what the client does otherwise.
    func client(
        _ name: String? = "localhost", _ change: (inout TLSConfiguration) -> Void = { _ in }
    ) throws -> @Sendable () throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(authority)
        change(&configuration)
        let context = try NIOSSLContext(configuration: configuration)
        return { try NIOSSLClientHandler(context: context, serverHostname: name) }
    }
}
