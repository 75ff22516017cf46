import FoundationEssentials
import ServiceCalls

/// The server that accepts our mail, and how to connect to it (integration guide 2.2).
package struct SMTPServer: Sendable, Equatable {
    /// The encryption of the connection.
    package enum Security: String, Sendable, CaseIterable {
        /// In the clear until `STARTTLS`, which is required (RFC 3207).
        case starttls
        /// TLS from the first byte (RFC 8314 §3.3).
        case tls
        /// No encryption; not allowed in production.
        case none
    }

    package let host: String
    package let port: Int
    package let security: Security
    /// The user name and password; `nil` if the server needs no sign-in.
    package let credentials: Credentials?
    /// The name that we send in `EHLO`: a host name, or an IP address in brackets (RFC 5321 §4.1.3).
    package let helo: String
    /// The authorities that certificates are verified against.
    package let trust: Trust

    /// The authorities that the server's certificate may come from.
    package enum Trust: Sendable, Equatable {
        case system
        /// The authorities of the system, and others in PEM.
        case systemAnd([UInt8])
        /// The authorities of a PEM file alone; it is read again for each connection.
        case only(file: String)
    }

    package struct Credentials: Sendable, Equatable {
        package let user: String
        package let password: String

        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// The encodings in which the credentials are sent. They are removed from quoted replies, since a server may repeat
        /// them.
        var spellings: [String] {
            let plain = Array("\0\(user)\0\(password)".utf8)
            return [password] + [plain, Array(password.utf8), Array(user.utf8)].map { Data($0).base64EncodedString() }
        }
    }

    package init(
        host: String, port: Int = 587, security: Security = .starttls, credentials: Credentials? = nil,
        helo: String, trust: Trust = .system
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.credentials = credentials
        self.helo = helo
        self.trust = trust
    }

    /// The URL of the server; libcurl sends the path as its name in `EHLO`.
    var url: String {
        let name = FormText.encode(helo)
        return "\(security == .tls ? "smtps" : "smtp")://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(name)"
    }
}
