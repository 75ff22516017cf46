import FoundationEssentials

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
    /// `nil` if the server needs no sign-in.
    package let credentials: Credentials?
    /// How we introduce ourselves in `EHLO`: a host name, or an IP address in brackets (RFC 5321 §4.1.3).
    package let helo: String
    /// Roots in PEM that certificates are checked against; nil: the system's.
    package let rootsFile: String?

    package struct Credentials: Sendable, Equatable {
        package let user: String
        package let password: String

        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// The forms in which they go to the server, so that a server which repeats them is not quoted.
        var spellings: [String] {
            let plain = Array("\0\(user)\0\(password)".utf8)
            return [password] + [plain, Array(password.utf8), Array(user.utf8)].map { Data($0).base64EncodedString() }
        }
    }

    package init(
        host: String, port: Int = 587, security: Security = .starttls, credentials: Credentials? = nil,
        helo: String, rootsFile: String? = nil
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.credentials = credentials
        self.helo = helo
        self.rootsFile = rootsFile
    }

    /// libcurl introduces itself by the URL's path.
    var url: String {
        let name = FormText.encode(helo)
        return "\(security == .tls ? "smtps" : "smtp")://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(name)"
    }
}
