/// A pattern of paths: literal segments, `*` for one segment, and at the end `**` for any number of segments, including zero.
package struct RoutePattern: Sendable, Hashable {
    /// The requirement for one segment of a path.
    enum Segment: Sendable, Hashable {
        case literal(String)
        case any
    }

    package static let segmentCountMax = 32
    package static let lengthMax = 512

    package let text: String
    let segments: [Segment]
    /// Whether more segments may follow (`**`).
    let isPrefix: Bool
    /// The text without `/**`, in the form in which it is compared with paths.
    private let bytes: [UInt8]

    /// Reads a pattern, or returns `nil` if the text is not one. It begins with `/` and has no empty segment and no character
    /// that needs an escape.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthMax, text.hasPrefix("/") else { return nil }
        var parts = text == "/" ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        isPrefix = parts.last == "**"
        if isPrefix { parts.removeLast() }
        guard parts.count <= Self.segmentCountMax, parts.allSatisfy(Self.isSegment) else { return nil }
        segments = parts.map { $0 == "*" ? .any : .literal(String($0)) }
        self.text = text
        bytes = Array(text.utf8.dropLast(isPrefix ? 3 : 0))
    }

    /// Creates a pattern from Latchkey's own code, where an invalid one is a programming error.
    package init(literal text: StaticString) {
        guard let pattern = Self("\(text)") else { preconditionFailure("'\(text)' is not a pattern of paths") }
        self = pattern
    }

    /// The pattern with its letters in lower case.
    package var lowercased: RoutePattern { RoutePattern(text.lowercased()) ?? self }

    /// Whether `path`, canonical and without a query, fits.
    ///
    /// - Parameter ignoringCase: Whether capitals of the path are read as small letters; only for a pattern in lower case.
    package func matches(_ path: Span<UInt8>, ignoringCase: Bool = false) -> Bool {
        guard !path.isEmpty, path[0] == UInt8(ascii: "/") else { return false }
        let pattern = bytes.span
        var position = 0
        for index in pattern.indices {
            if pattern[index] == UInt8(ascii: "*") {
                // A star is a segment of its own and represents a segment that is not empty.
                let start = position
                while position < path.count, path[position] != UInt8(ascii: "/") { position += 1 }
                guard position > start else { return false }
            } else {
                guard position < path.count else { return false }
                let byte = ignoringCase ? FoldedPath.lowercased(path[position]) : path[position]
                guard byte == pattern[index] else { return false }
                position += 1
            }
        }
        return position == path.count || isPrefix && path[position] == UInt8(ascii: "/")
    }

    /// Whether every path that fits `other` fits this pattern.
    package func covers(_ other: RoutePattern) -> Bool {
        if isPrefix {
            guard other.segments.count >= segments.count else { return false }
        } else {
            guard !other.isPrefix, other.segments.count == segments.count else { return false }
        }
        return zip(segments, other.segments).allSatisfy { mine, theirs in mine == .any || mine == theirs }
    }

    /// The literal segments that the pattern begins with, as a path without a slash at the end.
    package var literalPrefix: String {
        var prefix = ""
        for case .literal(let literal) in segments.prefix(while: { $0 != .any }) { prefix += "/" + literal }
        return prefix
    }

    /// The pattern without its literal prefix.
    var withoutLiteralPrefix: RoutePattern {
        let rest = segments.drop { $0 != .any }.map { segment in
            if case .literal(let literal) = segment { literal } else { "*" }
        }
        return RoutePattern("/" + (rest + (isPrefix ? ["**"] : [])).joined(separator: "/")) ?? .none
    }

    private static func isSegment(_ part: Substring) -> Bool {
        if part == "*" { return true }
        // RFC 3986 §3.3 unreserved characters; dot segments are resolved before a route is looked for.
        return !part.isEmpty && part != "." && part != ".."
            && part.utf8.allSatisfy {
                $0.isASCIIWordByte || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "~")
            }
    }
}

extension RoutePattern {
    /// The pattern that fits only `/`. It is used for a policy route without a pattern until that route is refused.
    static let none = RoutePattern(text: "/")

    private init(text: String) {
        self.text = text
        segments = []
        isPrefix = false
        bytes = Array(text.utf8)
    }

    static var rule: ValueRule<RoutePattern> {
        ValueRule(
            "a path of segments of A-Z a-z 0-9 . _ ~ -, with * for any one segment and ** at the end for any number",
            pattern: "^/", text: \.text
        ) { RoutePattern($0) }
    }
}
