/// The URL at which clients reach the deployment, or that of a provider. Links in messages begin with it, never with a value from
/// a request.
package struct PublicURL: Sendable, Equatable {
    private static let lengthMax = 256
    private static let schemes = ["https://", "http://"]

    /// The URL without a slash at its end.
    package let text: String

    /// - Returns: `nil` if the text is not an http or https URL of a host with at most a path.
    package init?(_ text: String) {
        guard Self.isURL(text, "-.:/~%") else { return nil }
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Reads the URL of a provider's keys, which may have a query, since Entra has the keys of an app with claims of its own there.
    ///
    /// - Returns: `nil` if the text is not an http or https URL of a host, without a user and a fragment.
    package static func ofKeys(_ text: String) -> PublicURL? {
        isURL(text, "-.:/~%?@!$&'()*+,;=") ? PublicURL(checked: text) : nil
    }

    private init(checked text: String) { self.text = text }

    /// The URL without its path: scheme, host and port.
    package var origin: String {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        return String(text[..<(text[start...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex)])
    }

    /// The path, without a slash at its end; empty if there is none.
    package var path: String { String(text.dropFirst(origin.count)) }

    /// The host; an IPv6 address has no brackets.
    package var host: String { Self.host(text) ?? "" }

    /// The reason not to use the URL in `environment`, or `nil` if it may be used.
    ///
    /// Plain http is allowed only if nothing leaves the machine or the desk: for loopback and private IP addresses, among them
    /// 10.0.2.2, by which Android's emulator reaches its host, and for names of multicast DNS.
    package func problem(in environment: DeploymentEnvironment) -> String? {
        if text.hasPrefix("https://") { return nil }
        if environment == .production { return "\(text) is not https, which production needs. Use https." }
        let host = Self.host(text) ?? ""
        let isLocal =
            host == "localhost" || host.hasSuffix(".local") || IPAddress(Substring(host))?.isLoopbackOrPrivate == true
        return isLocal ? nil : "\(text) is http and leaves the local network. Use https."
    }

    /// Whether the URL leads only to this machine.
    package var isLoopback: Bool { IPAddress.isLoopback(host: host) }

    static var rule: ValueRule<PublicURL> { ValueRule(words, text: \.text) { PublicURL($0) } }

    static var keysRule: TextRule {
        TextRule("a URL such as https://issuer.example.com/keys") { ofKeys($0)?.text }
    }

    /// Accepts the texts that `rule` accepts and keeps them as text.
    static var linkRule: TextRule { TextRule(words) { PublicURL($0)?.text } }

    private static let words = "a URL such as https://auth.example.com, without a query"

    /// Whether the text is a URL whose path and query have only words and these characters.
    private static func isURL(_ text: String, _ marks: String) -> Bool {
        guard (1...lengthMax).contains(text.utf8.count), let (authority, rest) = parts(text) else { return false }
        return URLAuthority(authority) != nil && areEscapesWhole(rest)
            && rest.utf8.allSatisfy { $0.isASCIIWordByte || marks.utf8.contains($0) }
    }

    /// Whether two hexadecimal digits follow each percent sign.
    private static func areEscapesWhole(_ text: Substring) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            part.count >= 2 && part.prefix(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        }
    }

    /// The part of a URL between scheme and path, and everything after it.
    private static func parts(_ text: String) -> (authority: Substring, rest: Substring)? {
        guard let scheme = schemes.first(where: text.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        return (authority, rest[authority.endIndex...])
    }

    private static func host(_ text: String) -> String? {
        parts(text).flatMap { URLAuthority($0.authority) }?.host
    }
}
