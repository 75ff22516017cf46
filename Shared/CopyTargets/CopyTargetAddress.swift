/// The address of a target: `--to` and `--from`.
package enum CopyTargetAddress: Sendable, Equatable {
    /// A folder of this host, by its absolute path.
    case directory(String)
    case sftp(SFTPAddress)
    case s3(S3Address)

    /// Reads `/folder`, `sftp://user@host[:port]/path` or `s3://bucket[/prefix]?region=…[&endpoint=…]`.
    package init(_ text: String) throws(CopyTargetAddressError) {
        if text.hasPrefix("sftp://") {
            self = .sftp(try SFTPAddress(text.dropFirst("sftp://".count)))
        } else if text.hasPrefix("s3://") {
            self = .s3(try S3Address(text.dropFirst("s3://".count)))
        } else {
            guard text.hasPrefix("/"), !text.utf8.contains(0) else {
                throw CopyTargetAddressError(
                    "the target is not an absolute path, sftp://user@host/path or s3://bucket/prefix?region=NAME")
            }
            self = .directory(text)
        }
    }
}

/// An address that no target has. The text names the part that is wrong and what to write instead, never the address itself,
/// which may contain a password.
package struct CopyTargetAddressError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A folder on an SFTP server.
package struct SFTPAddress: Sendable, Equatable {
    package let user: String
    /// A host name or an IP address; an IPv6 address in brackets.
    package let host: String
    package let port: Int
    /// Absolute, without a slash at its end.
    package let path: String

    private static let standardPort = 22

    fileprivate init(_ text: Substring) throws(CopyTargetAddressError) {
        let (authority, path) = text.cut(at: "/")
        let (user, server) = authority.cut(at: "@")
        guard let server, !user.isEmpty else {
            throw CopyTargetAddressError("the SFTP address has no user. Use sftp://user@host/path")
        }
        guard user.consists(of: "._-") else {
            throw CopyTargetAddressError(
                "the user in the SFTP address has other characters than letters, digits, \".\", \"_\" and \"-\". "
                    + "Its key is the secret copy_sftp_key; the address contains no password")
        }
        let (host, port) = server.endpoint
        guard host.isHost, let port = port.map({ Int($0) }) ?? Self.standardPort, (1...65_535).contains(port) else {
            throw CopyTargetAddressError("the SFTP address has no valid host and port. Use sftp://user@host:22/path")
        }
        let folder = (path ?? "").trimmed
        guard !folder.isEmpty, folder.isPath else {
            throw CopyTargetAddressError(
                "the SFTP address has no valid path. Use an absolute path of letters, digits, \".\", \"_\" and \"-\"")
        }
        (self.user, self.host, self.port, self.path) = (String(user), String(host), port, "/" + folder)
    }
}

/// A bucket in Amazon S3, or in another service with its API.
package struct S3Address: Sendable, Equatable {
    package let bucket: String
    /// Empty, or the start of all keys without the slash after it.
    package let prefix: String
    package let region: String
    /// `https://host[:port]`; `http` for loopback addresses only.
    package let endpoint: String

    private static let loopbackHosts = ["localhost", "127.0.0.1", "[::1]"]
    private static let prefixBytesMax = 512

    fileprivate init(_ text: Substring) throws(CopyTargetAddressError) {
        let (place, query) = text.cut(at: "?")
        let (bucket, prefix) = place.cut(at: "/")
        guard (3...63).contains(bucket.utf8.count), bucket.consists(of: ".-"), bucket == bucket.lowercased() else {
            throw CopyTargetAddressError(
                "the S3 address has no valid bucket: 3 to 63 lower-case letters, digits, \".\" and \"-\"")
        }
        let folder = (prefix ?? "").trimmed
        guard folder.isEmpty || folder.isPath, folder.utf8.count <= Self.prefixBytesMax else {
            throw CopyTargetAddressError(
                "the S3 address has no valid prefix. Use letters, digits, \".\", \"_\", \"-\" and \"/\"")
        }
        var options: [Substring: Substring] = [:]
        for option in (query ?? "").split(separator: "&", omittingEmptySubsequences: true) {
            let (name, value) = option.cut(at: "=")
            guard ["region", "endpoint"].contains(name), let value, options.updateValue(value, forKey: name) == nil else {
                throw CopyTargetAddressError(
                    "the S3 address allows only region=… and endpoint=…, once each. The keys are LATCHKEY_COPY_S3_KEY_ID "
                        + "and the secret copy_s3_secret_key")
            }
        }
        guard let region = options["region"], (1...32).contains(region.utf8.count), region.consists(of: "-") else {
            throw CopyTargetAddressError("the S3 address has no valid region. Add ?region=NAME, e.g. eu-central-1")
        }
        let endpoint = options["endpoint"].map { $0.hasSuffix("/") ? $0.dropLast() : $0 }
        guard endpoint.map(Self.isEndpoint) ?? true else {
            throw CopyTargetAddressError(
                "the S3 address has no valid endpoint. Use https://host or https://host:port; http only for localhost")
        }
        (self.bucket, self.prefix, self.region) = (String(bucket), String(folder), String(region))
        self.endpoint = endpoint.map(String.init) ?? "https://s3.\(region).amazonaws.com"
    }

    private static func isEndpoint(_ text: Substring) -> Bool {
        let isSecret = text.hasPrefix("https://")
        guard isSecret || text.hasPrefix("http://") else { return false }
        let (host, port) = text.dropFirst(isSecret ? 8 : 7).endpoint
        let isPort = port.map { text in Int(text).map { (1...65_535).contains($0) } ?? false } ?? true
        return host.isHost && isPort && (isSecret || loopbackHosts.contains(String(host)))
    }
}

extension Substring {
    /// The parts before and after the first `mark`; the second is `nil` if there is no mark.
    fileprivate func cut(at mark: Character) -> (Substring, Substring?) {
        guard let index = firstIndex(of: mark) else { return (self, nil) }
        return (self[..<index], self[self.index(after: index)...])
    }

    /// The host and the port of `host[:port]`; an IPv6 address keeps its brackets.
    fileprivate var endpoint: (host: Substring, port: Substring?) {
        guard hasPrefix("["), let end = firstIndex(of: "]") else { return cut(at: ":") }
        let rest = self[index(after: end)...]
        // Anything but a port after the bracket makes the host invalid.
        return rest.isEmpty ? (self, nil) : rest.hasPrefix(":") ? (self[...end], rest.dropFirst()) : ("", nil)
    }

    /// The text without slashes at its end.
    fileprivate var trimmed: Substring {
        var text = self
        while text.last == "/" { text.removeLast() }
        return text
    }

    /// Whether it is a host name, an IPv4 address, or an IPv6 address in brackets.
    fileprivate var isHost: Bool {
        guard utf8.count <= 253, first != "-" else { return false }
        return hasPrefix("[") ? count > 2 && dropFirst().dropLast().consists(of: ":.") : consists(of: ".-")
    }

    /// Whether its parts between slashes are folder names of harmless characters.
    fileprivate var isPath: Bool {
        split(separator: "/", omittingEmptySubsequences: false)
            .allSatisfy { $0.consists(of: "._-") && !["", ".", ".."].contains($0) }
    }

    /// Whether it is not empty, and consists of ASCII letters, digits and `others`.
    fileprivate func consists(of others: String) -> Bool {
        !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || others.contains($0)) }
    }
}
