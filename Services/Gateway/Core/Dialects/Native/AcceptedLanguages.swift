import EdgeHTTP

/// The languages that a client accepts, best first (RFC 9110 §12.5.4).
enum AcceptedLanguages {
    private static let countMax = 16
    private static let tagByteCountMax = 35

    /// - Parameter first: a language that the request specifies in another way.
    static func tags(_ head: RequestHead, after first: String? = nil) -> [String] {
        let ranked = (head.text("accept-language") ?? "").split(separator: ",").prefix(countMax).compactMap(rank)
        let sorted = ranked.enumerated().sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
        return ([first].compactMap { $0 } + sorted.map(\.element.tag)).filter { $0.utf8.count <= tagByteCountMax }
    }

    private static func rank(_ range: Substring) -> (tag: String, quality: Double)? {
        let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
        guard let tag = parts.first, tag != "*" else { return nil }
        let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
        return quality > 0 ? (tag, quality) : nil
    }
}
