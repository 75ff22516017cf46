/// How a connection is protected, what production demands, and what libpq gets.
extension DatabaseURL {
    private static let systemBundle = "/etc/ssl/certs/ca-certificates.crt"
    /// The value of `sslrootcert` that stands for the system's authorities, which only newer versions of libpq know.
    private static let system = "system"

    /// The mode of TLS: `verify-full` in production and with the system's authorities, and `prefer` otherwise, unless the URL
    /// states another one.
    func sslMode(isProduction: Bool) -> String {
        let isChecked = isProduction || options["sslrootcert"] == Self.system
        return options["sslmode"] ?? (isLocal ? "disable" : isChecked ? "verify-full" : "prefer")
    }

    /// Refuses what production does not allow: a password in the URL, and a server whose certificate is not checked.
    ///
    /// Its name is checked too, unless only the operator's own authority can have issued the certificate.
    package func requireProduction() throws(Problem) {
        guard password == nil else {
            throw .passwordInURL
        }
        let mode = sslMode(isProduction: true)
        guard isLocal || mode == "verify-full" || mode == "verify-ca" && options["sslrootcert"] != nil else {
            throw Problem("needs sslmode=verify-full, or sslmode=verify-ca with the sslrootcert of your own authority")
        }
    }

    /// Returns the options of libpq for a connection to one host.
    ///
    /// - Parameters:
    ///   - address: the IP address that the host's name has; `nil` for a Unix socket.
    ///   - applicationName: the name that the server shows, unless the URL has one.
    ///   - password: the password, unless the URL has one.
    func parameters(
        of host: Host, at address: String? = nil, applicationName: String, password: String?, isProduction: Bool
    ) -> [(name: String, value: String)] {
        let mode = sslMode(isProduction: isProduction)
        var values = [
            "application_name": applicationName, "keepalives_idle": "30",
        ].merging(options) { $1 }
        values.merge([
            "host": host.name, "port": "\(host.port)", "dbname": database, "user": user, "sslmode": mode,
            "target_session_attrs": "read-write", "client_encoding": "UTF8", "gssencmode": "disable",
        ]) { $1 }
        values["hostaddr"] = address
        values["connect_timeout"] = nil
        values["password"] = self.password ?? password
        values["sslrootcert"] = rootCertificate(in: mode)
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// How long one address of a host may take to accept a connection: our limit, or a shorter one in the URL.
    var connectMax: Duration {
        guard let wanted = options["connect_timeout"].flatMap({ Int($0) }), wanted > 0 else {
            return PostgreSQLLimits.connectMax
        }
        return min(.seconds(wanted), PostgreSQLLimits.connectMax)
    }

    /// The authorities for a mode. With `require` libpq checks the certificate too if it gets some.
    private func rootCertificate(in mode: String) -> String? {
        let isChecked = mode.hasPrefix("verify")
        guard let file = options["sslrootcert"] else { return isChecked ? Self.systemBundle : nil }
        return isChecked || mode == "require" ? file == Self.system ? Self.systemBundle : file : nil
    }
}
