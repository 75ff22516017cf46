/// The server that takes our mail, and how to speak to it (integration guide 2.2).
package struct SMTPServer: Sendable, Equatable {
    /// How the connection is kept from others.
    package enum Security: String, Sendable, CaseIterable {
        /// In the clear until `STARTTLS`, which is demanded (RFC 3207).
        case starttls
        /// TLS from the first byte (RFC 8314 §3.3).
        case tls
        /// In the clear; not in production.
        case none
    }

    package let host: String
    package let port: Int
    package let security: Security
    /// Nil: nobody signs in.
    package let credentials: Credentials?
    /// Roots in PEM that certificates are checked against; nil: the system's.
    package let rootsFile: String?

    package struct Credentials: Sendable, Equatable {
        package let user: String
        package let password: String

        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    package init(
        host: String, port: Int = 587, security: Security = .starttls, credentials: Credentials? = nil,
        rootsFile: String? = nil
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.credentials = credentials
        self.rootsFile = rootsFile
    }

    var url: String { "\(security == .tls ? "smtps" : "smtp")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
