import EdgeHTTP
import Policies

/// A stricter route of the app, which an upstream may read in a path that is spelled differently.
struct RivalRoute: Sendable {
    private let pattern: RoutePattern
    /// The pattern for upstreams that fold paths; `nil` if the route's upstream compares decoded paths byte by byte.
    private let folded: FoldedPattern?

    /// Returns the rivals of a route among all.
    static func all(of route: AppRoute, among routes: [AppRoute]) -> [RivalRoute] {
        route.policy.rivals(among: routes.map(\.policy)).map { row in
            RivalRoute(pattern: row.pattern, folded: row.isExact ? nil : FoldedPattern(row.pattern))
        }
    }

    /// Whether an upstream may read `path` as the path of a rival, although it is spelled differently.
    static func isMeant(_ path: Span<UInt8>, among rivals: [RivalRoute]) -> Bool {
        guard !rivals.isEmpty else { return false }
        guard hasEscape(path) else { return rivals.contains { $0.fits(path, decoded: nil, plain: path) } }
        let decoded = CanonicalPath.decoded(path)
        let plain = FoldedPath.plain(decoded)
        if rivals.contains(where: { $0.fits(path, decoded: decoded, plain: plain.span) }) { return true }
        // A server that parses the path again after decoding it cuts it off at an escaped `?` or `#`.
        let (cut, cutPlain) = (pathAlone(decoded), pathAlone(plain))
        guard cut.count < decoded.count || cutPlain.count < plain.count else { return false }
        return rivals.contains { $0.fits(path, decoded: cut, plain: cutPlain.span) }
    }

    /// Whether an upstream may read `path` as one of the route.
    ///
    /// - Parameters:
    ///   - decoded: the path without its escapes; `nil` if it has none.
    ///   - plain: the ASCII text that it may be read as.
    private func fits(_ path: Span<UInt8>, decoded: [UInt8]?, plain: Span<UInt8>) -> Bool {
        let isRead =
            if let folded { folded.fits(plain) } else if let decoded { pattern.matches(decoded.span) } else {
                false
            }
        return isRead && !pattern.matches(path)
    }

    /// Returns the part of a decoded path before its first `?` or `#`.
    private static func pathAlone(_ decoded: [UInt8]) -> [UInt8] {
        Array(decoded.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    private static func hasEscape(_ path: Span<UInt8>) -> Bool {
        for position in path.indices where path[position] == UInt8(ascii: "%") { return true }
        return false
    }
}
