import EdgeHTTP
import Policies

/// The dialect of the refusals at a route, found by the route's label only. When a body is too large or an upstream fails, nothing
/// else of the request is at hand.
///
/// Three kinds of routes have one more label for each host of a dialect, so that requests to the host are refused in that dialect:
/// a route of the app without a dialect, a path that several dialects share, and everything that is not served.
struct RefusalShapes: Sendable {
    private struct Entry: Sendable {
        let dialect: any Dialect
        /// The hosts whose requests are refused in their own dialect; `nil` for all.
        let hosts: Set<String>?
    }

    private let first: any Dialect
    private let hosts: [(name: String, dialect: any Dialect)]
    /// The entries by the index of a label.
    private var entries: [Entry]

    /// - Parameter spoken: the dialects, in the order that decides between them.
    init(_ spoken: [SpokenDialect]) {
        first = spoken.first?.dialect ?? NativeDialect()
        hosts = spoken.compactMap { spoken in spoken.host.map { (name: $0, dialect: spoken.dialect) } }
        // Before a head is read it is unknown which dialect the request is for, and any body but a problem signs voltyks' phones
        // out.
        let voltyks = spoken.first { $0.dialect.name == Policies.Dialect.voltyks }?.dialect
        entries = [Entry(dialect: voltyks ?? first, hosts: nil)]
    }

    /// Adds a route of the app and returns its label. All routes are added before one is looked up.
    ///
    /// - Parameter dialect: the dialect that the route specifies, or `nil` if it specifies none.
    mutating func add(_ route: String, dialect: (any Dialect)?) -> RouteLabel {
        add(Entry(dialect: dialect ?? first, hosts: dialect == nil ? nil : []), route, isApp: true)
    }

    /// Adds a path of dialects and returns its label.
    mutating func add(_ path: String, of candidates: [OwnPath.Candidate]) -> RouteLabel {
        let usual = candidates.first { $0.host == nil } ?? candidates.first
        let hosts = candidates.count > 1 ? Set(candidates.compactMap(\.host)) : []
        let isHosts = candidates.contains(where: \.row.refusesAsHost)
        return add(Entry(dialect: usual?.dialect ?? first, hosts: isHosts ? nil : hosts), path, isApp: false)
    }

    private mutating func add(_ entry: Entry, _ text: String, isApp: Bool) -> RouteLabel {
        entries.append(entry)
        return RouteLabel(index: entries.count - 1, text: text, isApp: isApp)
    }

    /// Returns the label of a request to a route.
    ///
    /// - Parameter host: the request's host, in lower case and without port; called only if it decides.
    func label(_ route: RouteLabel, host: () -> String?) -> RouteLabel {
        let takers = entries[route.index].hosts
        guard !hosts.isEmpty, takers?.isEmpty != true, let name = host(), takers?.contains(name) != false,
            let place = hosts.firstIndex(where: { $0.name == name })
        else { return route }
        return RouteLabel(index: route.index + (place + 1) * entries.count, text: route.text, isApp: route.isApp)
    }

    /// The dialect in which a request is refused, or the first dialect for a label outside the table.
    subscript(label: RouteLabel) -> any Dialect {
        guard label.index >= 0 else { return first }
        let (place, index) = label.index.quotientAndRemainder(dividingBy: entries.count)
        guard place > 0 else { return entries[index].dialect }
        return hosts.indices.contains(place - 1) ? hosts[place - 1].dialect : first
    }
}
