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

    fileprivate init(_ text: Substring) throws(CopyTargetAddressError) {
        let form = #/([A-Za-z0-9._-]+)@([^/:\[]+|\[[^/\]]+\])(?::([0-9]{1,5}))?((?:/[A-Za-z0-9._-]+)+)/?/#
        guard let parts = text.wholeMatch(of: form)?.output, parts.2.isHost, parts.4.hasPlainParts,
            let port = Int(parts.3 ?? "22"), (1...65_535).contains(port)
        else {
            throw CopyTargetAddressError(
                "the SFTP address has another form than sftp://user@host[:port]/path. User and path consist of letters, "
                    + "digits, \".\", \"_\" and \"-\"; the key is the secret copy_sftp_key, and there is no password")
        }
        (user, host, path) = (String(parts.1), String(parts.2), String(parts.4))
        self.port = port
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

    private static let prefixBytesMax = 512

    fileprivate init(_ text: Substring) throws(CopyTargetAddressError) {
        let form = #/([a-z0-9.-]{3,63})((?:/[A-Za-z0-9._-]+)*)/?\?([^?]+)/#
        guard let parts = text.wholeMatch(of: form)?.output, parts.2.hasPlainParts,
            parts.2.utf8.count <= Self.prefixBytesMax
        else {
            throw CopyTargetAddressError(
                "the S3 address has another form than s3://bucket/prefix?region=NAME. The bucket has 3 to 63 lower-case "
                    + "letters, digits, \".\" and \"-\"; the prefix consists of letters, digits, \".\", \"_\", \"-\" and \"/\""
            )
        }
        (bucket, prefix) = (String(parts.1), String(parts.2.dropFirst()))
        (region, endpoint) = try Self.place(parts.3)
    }

    /// Reads `region=…[&endpoint=…]`.
    private static func place(_ query: Substring) throws(CopyTargetAddressError) -> (region: String, endpoint: String) {
        var options: [Substring: Substring] = [:]
        for option in query.split(separator: "&", omittingEmptySubsequences: false) {
            let name = option.prefix { $0 != "=" }
            guard ["region", "endpoint"].contains(name), options[name] == nil else {
                throw CopyTargetAddressError(
                    "the S3 address allows only region=… and endpoint=…, once each. The keys are LATCHKEY_COPY_S3_KEY_ID "
                        + "and the secret copy_s3_secret_key")
            }
            options[name] = option.dropFirst(name.count + 1)
        }
        guard let region = options["region"], region.wholeMatch(of: /[A-Za-z0-9-]{1,32}/) != nil else {
            throw CopyTargetAddressError("the S3 address has no valid region. Add ?region=NAME, e.g. eu-central-1")
        }
        let endpoint = options["endpoint"] ?? "https://s3.\(region).amazonaws.com"
        guard let parts = endpoint.wholeMatch(of: #/(https?)://([^/:\[]+|\[[^/\]]+\])(?::([0-9]{1,5}))?/?/#)?.output,
            parts.2.isHost, parts.3.map({ (1...65_535).contains(Int($0) ?? 0) }) ?? true,
            parts.1 == "https" || ["localhost", "127.0.0.1", "[::1]"].contains(parts.2)
        else {
            throw CopyTargetAddressError(
                "the S3 address has no valid endpoint. Use https://host or https://host:port; http only for localhost")
        }
        return (String(region), "\(parts.1)://\(parts.2)" + (parts.3.map { ":\($0)" } ?? ""))
    }
}

extension Substring {
    /// Whether it is a host name, an IPv4 address, or an IPv6 address in brackets.
    fileprivate var isHost: Bool { wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:.]+\]/#) != nil }

    /// Whether none of its parts between slashes is `.` or `..`.
    fileprivate var hasPlainParts: Bool { split(separator: "/").allSatisfy { ![".", ".."].contains($0) } }
}
