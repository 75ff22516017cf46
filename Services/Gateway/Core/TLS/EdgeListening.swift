import EdgeHTTP
import Policies
import ServiceKit
import TLSPairs

/// The sockets on which the gateway accepts clients, and its treatment of clients without TLS.
struct EdgeListening: Sendable {
    static let tlsListenVariable = "LATCHKEY_TLS_LISTEN"
    static let folderVariable = "LATCHKEY_TLS_DIR"
    static let plainVariable = "LATCHKEY_PLAIN"
    static let portVariable = "LATCHKEY_TLS_PORT"
    static let challengeVariable = "LATCHKEY_ACME_UPSTREAM"
    static let usualPort = 443

    /// The listener of plain HTTP; `nil` if it is not served.
    let plain: EdgeListener?
    /// The listener of TLS; `nil` if it is not served.
    let tls: EdgeListener?
    /// The folder of certificates.
    let folder: String
    let plainUse: PlainRule.Use
    /// The port at which clients reach the socket for TLS.
    let publicPort: Int
    /// The URL of the server that answers the challenges of a certificate authority.
    let challengeURL: String?

    /// Reads the settings. A supervisor's second socket takes the place of `LATCHKEY_TLS_LISTEN`.
    init(_ settings: ProcessSettings) throws {
        let sockets = InheritedSockets.find(listensPlain: !settings.listensNowhere, settings.variable)
        plain =
            settings.listensNowhere ? nil : EdgeListener(address: settings.listen, inheritedSocket: sockets.plain)
        let checks: [() throws -> Void] = [
            { _ = try settings.integer(Self.portVariable) }, { _ = try Self.plainUse(settings, besideTLS: true) },
        ]
        tls = try SettingsReport.both(
            { try Self.tlsListener(settings, socket: sockets.tls) }, { try SettingsReport.requireAll(checks) }
        ).0
        folder = settings.text(Self.folderVariable) ?? ""
        plainUse = try Self.plainUse(settings, besideTLS: tls != nil)
        publicPort = try settings.integer(Self.portVariable) ?? Self.usualPort
        challengeURL = settings.variable(Self.challengeVariable)
        guard plain != nil || tls != nil else {
            throw SettingsError.missing(
                Self.tlsListenVariable, because: "LATCHKEY_LISTEN is none, so the gateway would listen nowhere",
                use: "host:port, for example 0.0.0.0:8443")
        }
        guard plainUse == .serve || tls != nil else {
            throw SettingsError.missing(
                Self.tlsListenVariable, because: "\(Self.plainVariable)=redirect leads clients to https",
                use: "host:port, for example 0.0.0.0:8443, or \(Self.plainVariable)=serve")
        }
    }

    private static func tlsListener(_ settings: ProcessSettings, socket: Int32?) throws -> EdgeListener? {
        guard let address = try settings.address(tlsListenVariable, example: "0.0.0.0:8443") else {
            return socket.map { EdgeListener(address: settings.listen, inheritedSocket: $0) }
        }
        return EdgeListener(address: address, inheritedSocket: socket)
    }

    private static func plainUse(_ settings: ProcessSettings, besideTLS: Bool) throws -> PlainRule.Use {
        // Codes and tokens without TLS are only for the operator's own machine.
        try settings.choice(plainVariable) ?? (besideTLS && settings.environment == .production ? .redirect : .serve)
    }
}
