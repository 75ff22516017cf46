/// The address of a PostgreSQL database: `postgres://user@host:5432/database?sslmode=verify-full`.
///
/// There may be several hosts with commas between them, of which the primary is used. A Unix socket is
/// `postgres://user@/database?host=/run/postgresql`.
package struct DatabaseURL: Sendable, Equatable {
    /// One server, or the folder of a Unix socket.
    struct Host: Sendable, Equatable {
        let name: String
        let port: Int

        var isSocket: Bool { name.hasPrefix("/") }
    }

    let hosts: [Host]
    let database: String
    package private(set) var user: String
    /// The password in the URL, which production refuses.
    private(set) var password: String?
    package var hasPassword: Bool { password != nil }
    /// `sslmode`, `sslrootcert`, `sslcert`, `sslkey`.
    let options: [String: String]

    /// Whether all hosts are Unix sockets, which need no TLS.
    var isLocal: Bool { hosts.allSatisfy(\.isSocket) }

    /// The place of the database for people, without user and password.
    package var place: String {
        hosts.map { $0.isSocket ? $0.name : "\($0.name):\($0.port)" }.joined(separator: ",") + "/" + database
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
        var options = try Self.options(parts.count > 1 ? parts[1] : "")
        let place = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard place.count == 2, let database = Self.decoded(place[1]), Self.isName(database) else {
            throw Problem("names no database: postgres://user@host/database")
        }
        guard let at = place[0].lastIndex(of: "@") else {
            throw Problem("names no user: postgres://user@host/database")
        }
        let account = place[0][..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = Self.decoded(account[0]), Self.isName(user) else { throw Problem("has no valid user") }
        self.user = user
        self.database = database
        password = account.count > 1 ? Self.decoded(account[1]) : nil
        hosts = try Self.hosts(place[0][place[0].index(after: at)...], folder: options.removeValue(forKey: "host"))
        self.options = options
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
    private static let optionNames: Set = ["host", "sslmode", "sslrootcert", "sslcert", "sslkey"]
    private static let sslModes: Set = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]
    private static let hostsMax = 8
    private static let usualPort = 5_432

    private static func options(_ text: Substring) throws(Problem) -> [String: String] {
        var options: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard optionNames.contains(name) else {
                let known = optionNames.sorted().joined(separator: ", ")
                throw Problem("has an unknown option \"\(name)\"; known are \(known)")
            }
            guard parts.count == 2, let value = decoded(parts[1]), !value.isEmpty, options[name] == nil else {
                throw Problem("needs exactly one value of \(name)")
            }
            options[name] = value
        }
        if let mode = options["sslmode"], !sslModes.contains(mode) {
            throw Problem("has an unknown sslmode; known are \(sslModes.sorted().joined(separator: ", "))")
        }
        return options
    }

    private static func hosts(_ text: Substring, folder: String?) throws(Problem) -> [Host] {
        if let folder {
            guard text.isEmpty, folder.hasPrefix("/") else {
                throw Problem("has a host both before and after the \"?\"")
            }
            return [Host(name: folder, port: usualPort)]
        }
        var hosts: [Host] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) { hosts.append(try host(part)) }
        guard hosts.count <= hostsMax else { throw Problem("names more than \(hostsMax) hosts") }
        return hosts
    }

    /// Reads `name`, `name:port` or `[address]:port`.
    private static func host(_ text: Substring) throws(Problem) -> Host {
        var (name, rest) = (text, Substring())
        if text.first == "[", let end = text.firstIndex(of: "]") {
            (name, rest) = (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
        } else if let colon = text.firstIndex(of: ":") {
            (name, rest) = (text[..<colon], text[colon...])
        }
        let port = rest.isEmpty ? usualPort : rest.first == ":" ? Int(rest.dropFirst()) ?? 0 : 0
        guard let name = decoded(name), isName(name), !name.contains(","), (1...65_535).contains(port) else {
            throw Problem("has no valid host: use host, host:port or [address]:port")
        }
        return Host(name: name, port: port)
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
