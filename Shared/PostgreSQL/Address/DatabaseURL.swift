/// The address of a PostgreSQL database: `postgres://user@host:5432/database?sslmode=verify-full`.
///
/// There may be several hosts with commas between them, of which the primary is used. A Unix socket is
/// `postgres://user@/database?host=/run/postgresql&port=5433`. User, password, database, host and port may be written before or
/// after the `?`, as in libpq.
package struct DatabaseURL: Sendable, Equatable {
    /// One server, or the folder of a Unix socket.
    struct Host: Sendable, Equatable {
        let name: String
        let port: Int

        var isSocket: Bool { name.hasPrefix("/") }

        /// The host for people; a socket shows its port only if it is not the usual one.
        var place: String {
            if isSocket { return port == DatabaseURL.usualPort ? name : "\(name):\(port)" }
            return name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)"
        }
    }

    let hosts: [Host]
    let database: String
    package private(set) var user: String
    /// The password in the URL, which production refuses.
    private(set) var password: String?
    package var hasPassword: Bool { password != nil }
    /// The options by their names, all of `DatabaseOption.known`.
    let options: [String: String]

    /// Whether all hosts are Unix sockets, which need no TLS.
    var isLocal: Bool { hosts.allSatisfy(\.isSocket) }

    /// The place of the database for people, without user and password.
    package var place: String {
        hosts.map(\.place).joined(separator: ",") + "/" + database
    }

    /// Returns the same database for another user, without a password.
    package func with(user: String) -> DatabaseURL {
        var url = self
        (url.user, url.password) = (user, nil)
        return url
    }

    /// Reads a URL.
    ///
    /// - Throws: `Problem`, which never contains the password.
    package init(_ text: String) throws(Problem) {
        guard let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix) else {
            throw Problem("must begin with postgres://")
        }
        let parts = text.dropFirst(scheme.count)
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var rest = try Self.pairs(parts.count > 1 ? parts[1] : "")
        let place = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let at = place[0].lastIndex(of: "@")
        let account = (at.map { place[0][..<$0] } ?? "").split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let written = account.first ?? ""
        user = try Self.part("user", written.isEmpty ? nil : written, &rest) ?? ""
        password = try Self.part("password", account.count > 1 ? account[1] : nil, &rest)
        let path = place.count > 1 ? place[1] : ""
        database = try Self.part("dbname", path.isEmpty ? nil : path, &rest) ?? ""
        guard !database.isEmpty else { throw Problem("names no database: postgres://user@host/database") }
        guard !user.isEmpty else { throw Problem("names no user: postgres://user@host/database") }
        for (name, text) in [("user", user), ("database", database)] where !Self.isIdentifier(text) {
            throw Problem("has no valid \(name): at most \(Self.identifierBytesMax) bytes, no control characters")
        }
        hosts = try Self.hosts(place[0][(at.map { place[0].index(after: $0) } ?? place[0].startIndex)...], &rest)
        options = try DatabaseOption.checked(rest)
    }

    /// The problem of a URL, worded to follow the name of its setting.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }

        /// Production refuses a password in the URL; the secret's name follows.
        static let passwordInURL = Problem("contains a password, which production refuses. Put it into the secret")
    }
}

// MARK: - Parts

extension DatabaseURL {
    private static let hostsMax = 8
    /// PostgreSQL cuts longer names, so that two would be one.
    private static let identifierBytesMax = 63
    private static let usualPort = 5_432

    /// Reads the options after the `?`, each of which may be there once.
    private static func pairs(_ text: Substring) throws(Problem) -> [String: String] {
        var options: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw Problem("has an option whose name is not text")
            }
            guard parts.count == 2, let value = decoded(parts[1]), !value.isEmpty, options[name] == nil else {
                throw Problem("needs exactly one value of \(name)")
            }
            options[name] = value
        }
        return options
    }

    /// Returns a part of the address that is written before the `?` or after it, or `nil` if it is not there.
    private static func part(
        _ name: String, _ written: Substring?, _ options: inout [String: String]
    ) throws(Problem) -> String? {
        let later = options.removeValue(forKey: name)
        guard let written else { return later }
        guard later == nil else { throw Problem("has \(name) both before and after the \"?\"") }
        guard let text = decoded(written) else { throw Problem("has no valid \(name)") }
        return text
    }

    private static func hosts(_ text: Substring, _ options: inout [String: String]) throws(Problem) -> [Host] {
        let (names, ports) = (options.removeValue(forKey: "host"), options.removeValue(forKey: "port"))
        var hosts: [(name: String, port: Int?)] = []
        if let names {
            // `user@:5433/database?host=…` has the port alone before the "?".
            guard text.isEmpty || text.first == ":" else { throw Problem("has a host both before and after the \"?\"") }
            let port = text.isEmpty ? nil : try port(text.dropFirst())
            for name in names.split(separator: ",", omittingEmptySubsequences: false) {
                hosts.append((try checked(String(name)), port))
            }
        } else {
            for part in text.split(separator: ",", omittingEmptySubsequences: false) { hosts.append(try host(part)) }
        }
        guard hosts.count <= hostsMax else { throw Problem("names more than \(hostsMax) hosts") }
        guard let ports else { return hosts.map { Host(name: $0.name, port: $0.port ?? usualPort) } }
        guard hosts.allSatisfy({ $0.port == nil }) else { throw Problem("has a port both before and after the \"?\"") }
        var numbers: [Int] = []
        for text in ports.split(separator: ",", omittingEmptySubsequences: false) { numbers.append(try port(text)) }
        guard numbers.count == 1 || numbers.count == hosts.count else {
            throw Problem("needs one port, or one for each host")
        }
        return zip(hosts, hosts.indices).map { Host(name: $0.name, port: numbers[numbers.count == 1 ? 0 : $1]) }
    }

    private static let invalidHost = Problem("has no valid host: use host, host:port or [address]:port")

    /// Reads `name`, `name:port` or `[address]:port`.
    private static func host(_ text: Substring) throws(Problem) -> (name: String, port: Int?) {
        var (name, rest) = (text, Substring())
        if text.first == "[", let end = text.firstIndex(of: "]") {
            (name, rest) = (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
        } else if let colon = text.firstIndex(of: ":") {
            (name, rest) = (text[..<colon], text[colon...])
        }
        guard let name = decoded(name), rest.isEmpty || rest.first == ":" else { throw invalidHost }
        return (try checked(name), rest.isEmpty ? nil : try port(rest.dropFirst()))
    }

    private static func checked(_ name: String) throws(Problem) -> String {
        guard isName(name), !name.contains(",") else { throw invalidHost }
        return name
    }

    private static func port(_ text: some StringProtocol) throws(Problem) -> Int {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text), (1...65_535).contains(port)
        else { throw invalidHost }
        return port
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count <= identifierBytesMax && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255 && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// Replaces `%2F` and the like; `nil` for text that is then not UTF-8 or contains U+0000.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}
