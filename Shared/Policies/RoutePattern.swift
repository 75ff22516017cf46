/// A pattern of paths: literal segments, `*` for one segment, and at the end `**` for any number, none included.
package struct RoutePattern: Sendable, Hashable {
    /// What one segment of a path must be.
    package enum Segment: Sendable, Hashable {
        case literal(String)
        case any
    }

    package static let segmentCountMax = 32
    package static let lengthMax = 512

    package let text: String
    package let segments: [Segment]
    /// Whether more segments may follow (`**`).
    package let isPrefix: Bool

    /// Nil when `text` is not a pattern: it begins with `/`, has no empty segment, and no character needs an escape.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthMax, text.hasPrefix("/") else { return nil }
        var parts = text == "/" ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        isPrefix = parts.last == "**"
        if isPrefix { parts.removeLast() }
        guard parts.count <= Self.segmentCountMax, parts.allSatisfy(Self.isSegment) else { return nil }
        segments = parts.map { $0 == "*" ? .any : .literal(String($0)) }
        self.text = text
    }

    /// Whether `path`, canonical and without query, fits.
    package func matches(_ path: some StringProtocol) -> Bool {
        guard path.utf8.first == UInt8(ascii: "/") else { return false }
        let rest = path.dropFirst()
        let parts = rest.isEmpty ? [] : rest.split(separator: "/", omittingEmptySubsequences: false)
        guard isPrefix ? parts.count >= segments.count : parts.count == segments.count else { return false }
        return zip(segments, parts).allSatisfy { segment, part in
            switch segment {
            case .any: !part.isEmpty
            case .literal(let literal): literal.utf8.elementsEqual(part.utf8)
            }
        }
    }

    /// The literal segments that the pattern begins with, as a path without a slash at the end.
    package var literalPrefix: String {
        var prefix = ""
        for case .literal(let literal) in segments.prefix(while: { $0 != .any }) { prefix += "/" + literal }
        return prefix
    }

    private static func isSegment(_ part: Substring) -> Bool {
        if part == "*" { return true }
        // RFC 3986 §3.3 unreserved characters; dot segments would be resolved away before a route is looked for.
        return !part.isEmpty && part != "." && part != ".."
            && part.utf8.allSatisfy {
                $0.isASCIIWordByte || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "~")
            }
    }
}

extension RoutePattern {
    /// The pattern of `/` alone; stands where a policy has none, until it is refused for that.
    static let none = RoutePattern(text: "/")

    private init(text: String) {
        self.text = text
        segments = []
        isPrefix = false
    }

    static var rule: ValueRule<RoutePattern> {
        ValueRule(
            "a path of segments of A-Z a-z 0-9 . _ ~ -, with * for any one segment and ** at the end for any number",
            parse: RoutePattern.init(_:))
    }
}
