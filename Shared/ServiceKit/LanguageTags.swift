/// The language tags of an `Accept-Language` field (RFC 9110 §12.5.4).
package enum LanguageTags {
    private static let countMax = 16
    private static let tagByteCountMax = 35

    /// Returns the tags that may be used, best first.
    package static func ranked(_ field: String) -> [String] {
        let ranked = field.split(separator: ",").prefix(countMax).compactMap(rank)
        let sorted = ranked.enumerated().sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
        return sorted.map(\.element.tag).filter(isUsable)
    }

    /// Whether a tag is short enough.
    package static func isUsable(_ tag: String) -> Bool { tag.utf8.count <= tagByteCountMax }

    private static func rank(_ range: Substring) -> (tag: String, quality: Double)? {
        let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
        guard let tag = parts.first, tag != "*" else { return nil }
        let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
        return quality > 0 ? (tag, quality) : nil
    }
}
