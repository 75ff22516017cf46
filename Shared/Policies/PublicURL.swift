/// The URL at which clients reach the deployment. Links in messages begin with it, never with a value from a request.
package struct PublicURL: Sendable, Equatable {
    private static let lengthMax = 256

    /// The URL without a slash at its end.
    package let text: String

    /// - Returns: `nil` if the text is not an http or https URL of a host with at most a path.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...Self.lengthMax).contains(bytes.count), bytes.allSatisfy(Self.isAllowed),
            let host = Self.host(text), !host.isEmpty
        else { return nil }
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The URL without its path: scheme, host and port.
    package var origin: String {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        return String(text[..<(text[start...].firstIndex(of: "/") ?? text.endIndex)])
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

    static var rule: ValueRule<PublicURL> { ValueRule(words) { PublicURL($0) } }

    /// Accepts the texts that `rule` accepts and keeps them as text, for the URL to which links lead.
    static var linkRule: ValueRule<String> { ValueRule(words) { PublicURL($0)?.text } }

    private static let words = "a URL such as https://auth.example.com, without a query"

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isASCIIWordByte || "-.:/[]~%".utf8.contains(byte)
    }

    private static func host(_ text: String) -> String? {
        guard let rest = ["https://", "http://"].first(where: text.hasPrefix).map({ text.dropFirst($0.utf8.count) })
        else { return nil }
        let authority = rest.prefix { $0 != "/" }
        if authority.hasPrefix("[") { return authority.dropFirst().prefix { $0 != "]" }.lowercased() }
        return authority.prefix { $0 != ":" }.lowercased()
    }
}
