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
        let pair = try [made.chain, made.key].map { try String(contentsOfFile: $0, encoding: .utf8) }
        try pair.joined().write(toFile: made.pair, atomically: true, encoding: .utf8)
        return made
    }
}
