/// Where clients reach the deployment; links in messages begin with it, never with what a request says.
package struct PublicURL: Sendable, Equatable {
    private static let lengthMax = 256

    /// Without a slash at its end.
    package let text: String

    /// - Returns: nil for a text that is no http or https URL of a host, with a path at most.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...Self.lengthMax).contains(bytes.count), bytes.allSatisfy(Self.isAllowed),
            let host = Self.host(text), !host.isEmpty
        else { return nil }
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The same without its path: scheme, host and port.
    package var origin: String {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        return String(text[..<(text[start...].firstIndex(of: "/") ?? text.endIndex)])
    }

    /// The host, an IPv6 address without its brackets.
    package var host: String { Self.host(text) ?? "" }

    /// Why it must not be used in `environment`; nil when it may.
    ///
    /// In the clear only where nothing leaves the machine or the desk: loopback and private addresses, among them
    /// 10.0.2.2, by which Android's emulator reaches its host, and names of multicast DNS.
    package func problem(in environment: DeploymentEnvironment) -> String? {
        if text.hasPrefix("https://") { return nil }
        if environment == .production { return "\(text) is not https, which production needs. Use https." }
        let host = Self.host(text) ?? ""
        let isLocal =
            host == "localhost" || host.hasSuffix(".local") || IPAddress(Substring(host))?.isLoopbackOrPrivate == true
        return isLocal ? nil : "\(text) is http and leaves the local network. Use https."
    }

    /// Whether it leads to this machine alone.
    package var isLoopback: Bool {
        let host = Self.host(text) ?? ""
        return host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    static var rule: ValueRule<PublicURL> { ValueRule(words) { PublicURL($0) } }

    /// Where links lead: the same, as text.
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
