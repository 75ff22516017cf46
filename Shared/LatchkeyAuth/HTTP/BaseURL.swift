import Foundation

/// The server's address: `https`, or `http` in a debug build on loopback and private addresses.
struct BaseURL: Sendable {
    /// The address without a slash at its end.
    let text: String
    private let url: URL
    private let isAllowed: Bool

    init(_ url: URL, allowsHTTP: Bool = Self.isDebugBuild) {
        self.url = url
        text = url.absoluteString.hasSuffix("/") ? String(url.absoluteString.dropLast()) : url.absoluteString
        isAllowed = Self.isAllowed(url, allowsHTTP)
    }

    /// The URL of a path, or `nil` if nothing may be sent to this server.
    func url(_ path: String) -> URL? { isAllowed ? URL(string: text + path) : nil }

    /// Whether requests to a URL may have the access token: this server's, and hosts that the app has named.
    func mayKnowToken(_ target: URL, otherHosts: Set<String>) -> Bool {
        guard isAllowed, let host = Self.host(target) else { return false }
        let isOurs =
            host == Self.host(url) && target.scheme?.lowercased() == url.scheme?.lowercased()
            && Self.port(target) == Self.port(url)
        return isOurs || otherHosts.contains(host) && target.scheme?.lowercased() == "https"
    }

    private static func isAllowed(_ url: URL, _ allowsHTTP: Bool) -> Bool {
        guard let host = host(url) else { return false }
        return switch url.scheme?.lowercased() {
        case "https": true
        case "http": allowsHTTP && isPrivate(host)
        default: false
        }
    }

    private static func host(_ url: URL) -> String? {
        guard let host = url.host()?.lowercased(), !host.isEmpty else { return nil }
        return host
    }

    private static func port(_ url: URL) -> Int { url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80) }

    /// Whether a host is this machine or one of a private network (RFC 1918; 10.0.2.2 is the host of Android's emulator).
    private static func isPrivate(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, let first = parts[0], let second = parts[1], parts[2] != nil, parts[3] != nil else {
            return false
        }
        return first == 127 || first == 10 || first == 192 && second == 168
            || first == 172 && (16...31).contains(second)
    }

    private static var isDebugBuild: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }
}
