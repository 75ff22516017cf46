import EdgeHTTP

/// Whose shape the refusals at a route have, by the route's label alone: a body that is too large or an upstream that fails
/// is refused when nothing else of the request is at hand.
///
/// What names no dialect, and what is not served, has a label more for each host of a dialect: whoever asks there is refused
/// in that dialect.
struct RefusalShapes: Sendable {
    private let first: any Dialect
    private let hosts: [(name: String, dialect: any Dialect)]
    /// By the index of a label; nil: any.
    private var dialects: [(any Dialect)?] = [nil]

    /// - Parameter spoken: in the order that decides between them.
    init(_ spoken: [SpokenDialect]) {
        first = spoken.first?.dialect ?? NativeDialect()
        hosts = spoken.compactMap { spoken in spoken.host.map { (name: $0, dialect: spoken.dialect) } }
    }

    /// The label of another route; all are added before one is looked up.
    ///
    /// - Parameter dialect: nil for a route that names none.
    mutating func add(_ text: String, isApp: Bool = false, dialect: (any Dialect)?) -> RouteLabel {
        dialects.append(dialect)
        return RouteLabel(index: dialects.count - 1, text: text, isApp: isApp)
    }

    /// The label of a request to a route.
    ///
    /// - Parameter host: the request's, in lower case and without port; asked for only where it decides.
    func label(_ route: RouteLabel, host: () -> String?) -> RouteLabel {
        guard !hosts.isEmpty, dialects[route.index] == nil, let name = host(),
            let place = hosts.firstIndex(where: { $0.name == name })
        else { return route }
        return RouteLabel(index: route.index + (place + 1) * dialects.count, text: route.text, isApp: route.isApp)
    }

    /// The dialect in which a request is refused.
    subscript(label: RouteLabel) -> any Dialect {
        // One that is in no table, as that of challenges, names no dialect.
        guard label.index > 0 else { return first }
        let (place, index) = label.index.quotientAndRemainder(dividingBy: dialects.count)
        guard place > 0 else { return dialects[index] ?? first }
        return hosts.indices.contains(place - 1) ? hosts[place - 1].dialect : first
    }
}
