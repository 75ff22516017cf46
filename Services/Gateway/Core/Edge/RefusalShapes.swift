import EdgeHTTP
import Policies

/// Whose shape the refusals at a route have, by the route's label alone: a body that is too large or an upstream that fails
/// is refused when nothing else of the request is at hand.
///
/// A route of the app's that names no dialect, a path that several dialects have, and what is not served have a label more for
/// each host of a dialect: whoever asks there is refused in that dialect.
struct RefusalShapes: Sendable {
    private struct Entry: Sendable {
        let dialect: any Dialect
        /// Those whose requests are refused in their own dialect; nil: all.
        let hosts: Set<String>?
    }

    private let first: any Dialect
    private let hosts: [(name: String, dialect: any Dialect)]
    /// By the index of a label.
    private var entries: [Entry]

    /// - Parameter spoken: in the order that decides between them.
    init(_ spoken: [SpokenDialect]) {
        first = spoken.first?.dialect ?? NativeDialect()
        hosts = spoken.compactMap { spoken in spoken.host.map { (name: $0, dialect: spoken.dialect) } }
        // Before a head is read nobody knows whose request it is, and any body but a problem signs voltyks' phones out.
        let voltyks = spoken.first { $0.dialect.name == Policies.Dialect.voltyks }?.dialect
        entries = [Entry(dialect: voltyks ?? first, hosts: nil)]
    }

    /// The label of another route of the app's; all are added before one is looked up.
    ///
    /// - Parameter dialect: nil for a route that names none.
    mutating func add(_ route: String, dialect: (any Dialect)?) -> RouteLabel {
        add(Entry(dialect: dialect ?? first, hosts: dialect == nil ? nil : []), route, isApp: true)
    }

    /// The label of a path of dialects.
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

    /// The label of a request to a route.
    ///
    /// - Parameter host: the request's, in lower case and without port; asked for only where it decides.
    func label(_ route: RouteLabel, host: () -> String?) -> RouteLabel {
        let takers = entries[route.index].hosts
        guard !hosts.isEmpty, takers?.isEmpty != true, let name = host(), takers?.contains(name) != false,
            let place = hosts.firstIndex(where: { $0.name == name })
        else { return route }
        return RouteLabel(index: route.index + (place + 1) * entries.count, text: route.text, isApp: route.isApp)
    }

    /// The dialect in which a request is refused; the first one's for a label of no table.
    subscript(label: RouteLabel) -> any Dialect {
        guard label.index >= 0 else { return first }
        let (place, index) = label.index.quotientAndRemainder(dividingBy: entries.count)
        guard place > 0 else { return entries[index].dialect }
        return hosts.indices.contains(place - 1) ? hosts[place - 1].dialect : first
    }
}
