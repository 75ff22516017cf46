/// How a connection is protected, and what production demands.
extension DatabaseURL {
    private static let systemBundle = "/etc/ssl/certs/ca-certificates.crt"

    /// The mode of TLS: `verify-full` in production and `prefer` otherwise, unless the URL states another one.
    func sslMode(isProduction: Bool) -> String {
        options["sslmode"] ?? (isLocal ? "disable" : isProduction ? "verify-full" : "prefer")
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

    /// Returns the options of libpq for a connection.
    ///
    /// - Parameter password: the password, unless the URL has one.
    func parameters(
        applicationName: String, password: String?, isProduction: Bool
    ) -> [(name: String, value: String)] {
        let mode = sslMode(isProduction: isProduction)
        var parameters = [
            ("host", hosts.map(\.name).joined(separator: ",")),
            ("port", hosts.map { "\($0.port)" }.joined(separator: ",")), ("dbname", database), ("user", user),
            ("sslmode", mode), ("target_session_attrs", "read-write"), ("application_name", applicationName),
            ("client_encoding", "UTF8"), ("gssencmode", "disable"),
            ("connect_timeout", "\(PostgreSQLLimits.connectSeconds)"), ("keepalives_idle", "30"),
        ]
        if let password = self.password ?? password { parameters.append(("password", password)) }
        if mode.hasPrefix("verify") { parameters.append(("sslrootcert", options["sslrootcert"] ?? Self.systemBundle)) }
        for name in ["sslcert", "sslkey"] { if let value = options[name] { parameters.append((name, value)) } }
        return parameters
    }
}
