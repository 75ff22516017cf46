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

    /// Reads the settings:
    /// - `LATCHKEY_LISTEN` host:port, or `none` if TLS is served
    /// - `LATCHKEY_TLS_LISTEN` host:port; default none, unless a supervisor passes a second socket
    /// - `LATCHKEY_TLS_DIR` a folder, default /run/tls
    /// - `LATCHKEY_PLAIN` serve or redirect, which needs TLS; default serve, in production with TLS redirect
    /// - `LATCHKEY_TLS_PORT` 1 to 65535, default 443
    /// - `LATCHKEY_ACME_UPSTREAM` the URL of a server, default none
    init(_ settings: ProcessSettings) throws {
        let sockets = InheritedSockets.find(listensPlain: !settings.listensNowhere, settings.variable)
        plain =
            settings.listensNowhere ? nil : EdgeListener(address: settings.listen, inheritedSocket: sockets.plain)
        let checks: [() throws -> Void] = [
            { _ = try Self.port(settings) }, { _ = try Self.plainUse(settings, besideTLS: true) },
        ]
        tls = try SettingsReport.both(
            { try Self.tlsListener(settings, socket: sockets.tls) }, { try SettingsReport.requireAll(checks) }
        ).0
        folder = Self.text(settings, Self.folderVariable) ?? TLSFolder.usualPath
        plainUse = try Self.plainUse(settings, besideTLS: tls != nil)
        publicPort = try Self.port(settings)
        challengeURL = Self.text(settings, Self.challengeVariable)
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
        guard let text = text(settings, tlsListenVariable) else {
            return socket.map { EdgeListener(address: settings.listen, inheritedSocket: $0) }
        }
        guard let address = ListenAddress(parsing: text) else {
            throw SettingsError.invalid(tlsListenVariable, text, use: "host:port, for example 0.0.0.0:8443")
        }
        return EdgeListener(address: address, inheritedSocket: socket)
    }

    private static func plainUse(_ settings: ProcessSettings, besideTLS: Bool) throws -> PlainRule.Use {
        guard let text = text(settings, plainVariable) else {
            // Codes and tokens without TLS are only for the operator's own machine.
            return besideTLS && settings.environment == .production ? .redirect : .serve
        }
        guard let use = PlainRule.Use(rawValue: text) else {
            let allowed = PlainRule.Use.allCases.map(\.rawValue).joined(separator: " or ")
            throw SettingsError.invalid(plainVariable, text, use: allowed)
        }
        return use
    }

    private static func port(_ settings: ProcessSettings) throws -> Int {
        guard let text = text(settings, portVariable) else { return usualPort }
        guard let port = UInt16(text), port > 0 else {
            throw SettingsError.invalid(portVariable, text, use: "a port from 1 to 65535")
        }
        return Int(port)
    }

    private static func text(_ settings: ProcessSettings, _ variable: String) -> String? {
        settings.variable(variable)
    }
}
