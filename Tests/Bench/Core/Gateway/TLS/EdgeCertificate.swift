import FoundationEssentials
import TestSupport

/// The certificate that all edges show, with a key on P-256, and a client that trusts its authority.
struct EdgeCertificate: Sendable {
    private static let name = "default"

    /// The folder that the gateway reads (`LATCHKEY_TLS_DIR`).
    let folder: String
    /// File (PEM) of the authority.
    let authority: String
    let client: LoadTLS

    var chain: String { "\(folder)/\(Self.name).crt" }
    var key: String { "\(folder)/\(Self.name).key" }
    /// Both in one file, as HAProxy reads it.
    var pair: String { folder + ".pem" }

    /// Makes authority, key and certificate in `folder`.
    static func make(in folder: String) async throws -> EdgeCertificate {
        let authority = try await TestAuthority.make(in: folder + "/authority")
        let issued = try await authority.issue("edge", .init(names: [LoadTLS.serverName, "127.0.0.1"], key: .p256))
        let made = EdgeCertificate(
            folder: folder + "/certificates", authority: authority.certificate,
            client: try LoadTLS(trusting: authority.certificate))
        try issued.place(in: made.folder, as: name)
        let pair = try [made.chain, made.key].map { try Data(contentsOf: URL(filePath: $0)) }
        let isWritten = FileManager.default.createFile(
            atPath: made.pair, contents: Data(pair.joined()), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw UnexpectedReply(description: "\(made.pair) cannot be written") }
        return made
    }
}

/// The gateway's second port, for TLS, and what it shows there.
struct TLSFront: Sendable {
    /// Enough for as many connections over TLS as the policy allows plain ones.
    static let roomyMegabytes = 2048

    let certificate: EdgeCertificate
    let port: Int

    static func make(in folder: String) async throws -> TLSFront {
        TLSFront(certificate: try await EdgeCertificate.make(in: folder), port: try await FreePort.find())
    }

    /// The settings of `deploy/run`.
    var settings: [String: String] {
        ["LATCHKEY_TLS_PORT": "\(port)", "LATCHKEY_TLS_DIR": certificate.folder]
    }
}
