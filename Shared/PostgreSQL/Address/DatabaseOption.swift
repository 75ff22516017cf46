/// The options that may follow the `?` of a database's URL, as providers print them, and what each may be.
///
/// An option that cannot weaken a guarantee is accepted, even without effect, so that a printed URL can be used as it is. What would
/// change which server is used, what a commit means, or where the password comes from is refused with its reason.
struct DatabaseOption: Sendable {
    /// How an option is used.
    enum Use: Sendable {
        /// libpq gets it, unless `DatabaseURL.parameters` decides otherwise.
        case passed
        /// It is accepted without effect: what it says holds anyway, or does not matter here.
        case ignored
    }

    let use: Use
    /// The rule for its values, for the operator.
    let rule: String
    let accepts: @Sendable (String) -> Bool

    private init(_ use: Use, _ rule: String, _ accepts: @escaping @Sendable (String) -> Bool) {
        (self.use, self.rule, self.accepts) = (use, rule, accepts)
    }

    private static func oneOf(_ use: Use, _ values: String...) -> DatabaseOption {
        DatabaseOption(use, "one of " + values.joined(separator: ", ")) { values.contains($0) }
    }

    private static let file = DatabaseOption(.passed, "the name of a file") { _ in true }
    private static let number = DatabaseOption(.passed, "a number from 0 to 86400000") {
        Int($0).map { (0...86_400_000).contains($0) } ?? false
    }
    private static let text = DatabaseOption(.passed, "at most 63 printable ASCII characters") {
        $0.utf8.count <= 63 && $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }

    /// The words by which a provider's proxy finds the database. Any other start option could change how the server commits.
    private static let routes = ["endpoint", "project", "reference"]
    private static let routing = DatabaseOption(
        .passed, routes.map { "\($0)=…" }.joined(separator: " or ") + "; a setting of the server belongs to its role"
    ) { text in
        text.split(separator: " ").allSatisfy { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && routes.contains(String(parts[0])) && !parts[1].isEmpty
                && parts[1].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        }
    }

    static let known: [String: DatabaseOption] = [
        "sslmode": oneOf(.passed, "disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
        "sslrootcert": file, "sslcert": file, "sslkey": file, "sslcrl": file, "sslcrldir": file,
        "sslsni": oneOf(.passed, "0", "1"),
        "ssl_min_protocol_version": oneOf(.passed, "TLSv1.2", "TLSv1.3"),
        "ssl_max_protocol_version": oneOf(.passed, "TLSv1.2", "TLSv1.3"),
        "channel_binding": oneOf(.passed, "disable", "prefer", "require"),
        "requirepeer": text, "application_name": text,
        "connect_timeout": DatabaseOption(.passed, "a number of seconds") { Int($0) != nil },
        "keepalives": oneOf(.passed, "0", "1"), "keepalives_idle": number, "keepalives_interval": number,
        "keepalives_count": number, "tcp_user_timeout": number,
        "options": routing,
        "target_session_attrs": oneOf(.ignored, "any", "read-write", "primary"),
        "gssencmode": oneOf(.ignored, "disable", "prefer"),
        "sslnegotiation": oneOf(.ignored, "postgres", "direct"),
        "sslcompression": oneOf(.ignored, "0"), "sslcertmode": oneOf(.ignored, "allow"),
        "client_encoding": oneOf(.ignored, "UTF8", "utf8", "UTF-8", "utf-8"),
        "load_balance_hosts": oneOf(.ignored, "disable", "random"),
        "fallback_application_name": DatabaseOption(.ignored, "any text") { _ in true },
    ]

    /// Options of libpq that are refused, and why.
    private static let refused = [
        "hostaddr": "write the address as the host", "passfile": "the password is a secret of its own",
        "service": "write what it contains into the URL", "servicefile": "write what it contains into the URL",
        "sslpassword": "use a key without a password",
        "require_auth": "use channel_binding=require, which allows SCRAM alone",
        "replication": "such a connection runs no transactions",
    ]

    /// Refuses unknown options and values, and returns those that count.
    static func checked(_ options: [String: String]) throws(DatabaseURL.Problem) -> [String: String] {
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            if let reason = refused[name] { throw DatabaseURL.Problem("has the option \(name): \(reason)") }
            guard let option = known[name] else {
                let names = (known.keys + ["dbname", "host", "password", "port", "user"]).sorted()
                throw DatabaseURL.Problem(
                    "has an unknown option \"\(name.prefix(63))\"; known are \(names.joined(separator: ", "))")
            }
            // The value is not shown: a URL that was put together wrongly may have a password there.
            guard option.accepts(value) else { throw DatabaseURL.Problem("has an invalid \(name): \(option.rule)") }
        }
        if options["sslrootcert"] == "system", let mode = options["sslmode"], mode != "verify-full" {
            throw DatabaseURL.Problem("has sslrootcert=system, with which sslmode has to be verify-full")
        }
        return options.filter { known[$0.key]?.use == .passed }
    }
}
