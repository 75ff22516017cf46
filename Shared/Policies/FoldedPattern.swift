/// A route's pattern as frameworks may read it: it fits every path that one of them could read as a path of the route.
///
/// It also allows letters of the other case, slashes, dots and spaces at the end, spaces around a segment and dots after it,
/// and an extension at the end of the path (`/admin.json`).
package struct FoldedPattern: Sendable {
    /// The segments: literals in lower case, and `nil` for any segment.
    private let segments: [[UInt8]?]
    private let isPrefix: Bool

    package init(_ pattern: RoutePattern) {
        segments = pattern.segments.compactMap { segment -> [UInt8]?? in
            guard case .literal(let literal) = segment else { return .some(nil) }
            let bytes = literal.utf8.map(FoldedPath.lowercased)
            var position = 0
            guard let kept = FoldedPath.nextSegment(bytes.span, from: &position) else { return .none }
            return .some(Array(bytes[kept]))
        }
        isPrefix = pattern.isPrefix
    }

    /// Whether `path`, which has no escapes any more, may be read as one that the pattern fits.
    package func fits(_ path: Span<UInt8>) -> Bool {
        var position = 0
        var index = 0
        while let segment = FoldedPath.nextSegment(path, from: &position) {
            guard index < segments.count else { return isPrefix }
            if let literal = segments[index], !Self.equals(path, segment, literal) {
                guard let stem = FoldedPath.stem(path, segment), Self.equals(path, stem, literal) else { return false }
                // It is an extension only at the end of the path.
                var rest = position
                guard FoldedPath.nextSegment(path, from: &rest) == nil else { return false }
            }
            index += 1
        }
        return index == segments.count
    }

    private static func equals(_ path: Span<UInt8>, _ segment: Range<Int>, _ literal: [UInt8]) -> Bool {
        guard segment.count == literal.count else { return false }
        for offset in literal.indices
        where FoldedPath.lowercased(path[segment.lowerBound + offset]) != literal[offset] { return false }
        return true
    }

    /// Whether a path exists that may be read as fitting both patterns.
    func meets(_ other: FoldedPattern) -> Bool {
        let shared = min(segments.count, other.segments.count)
        for index in 0..<shared {
            guard let mine = segments[index], let theirs = other.segments[index] else { continue }
            if mine != theirs, Self.stem(mine) != Self.stem(theirs) { return false }
        }
        if segments.count == other.segments.count { return true }
        return segments.count < other.segments.count ? isPrefix : other.isPrefix
    }

    private static func stem(_ literal: [UInt8]) -> [UInt8] {
        FoldedPath.stem(literal.span, literal.indices).map { Array(literal[$0]) } ?? literal
    }
}
