/// The one document of a policy file, read without YAML's surprises: no anchors, aliases, merge keys or tags.
struct YAMLDocument {
    static let depthMax = 16

    let file: String
    let root: YAMLNode

    /// - Throws: One finding, with the line where reading ended.
    init(parsing text: String, file: String) throws(PolicyError) {
        self.file = file
        do throws(YAMLEvents.Refusal) {
            var events = try YAMLEvents(text)
            root = try Self.single(&events)
        } catch {
            throw PolicyError(findings: [.init(file: file, line: error.line, keyPath: "", message: error.message)])
        }
    }

    private static func single(_ events: inout YAMLEvents) throws(YAMLEvents.Refusal) -> YAMLNode {
        _ = try events.next()
        guard case .documentStart = try events.next().event else {
            throw .init(line: nil, message: "is empty. deploy/policies/howru.yaml shows what a policy contains.")
        }
        let root = try node(&events, try events.next(), depth: 0)
        _ = try events.next()
        let (next, line) = try events.next()
        guard case .streamEnd = next else {
            throw .init(line: line, message: "a second document begins here (---). Use one document in a file.")
        }
        return root
    }

    private static func node(
        _ events: inout YAMLEvents, _ first: (event: YAMLEvents.Event, line: Int), depth: Int
    ) throws(YAMLEvents.Refusal) -> YAMLNode {
        guard depth < depthMax else {
            throw .init(line: first.line, message: "sections are nested too deep. Use at most \(depthMax) levels.")
        }
        switch first.event {
        case .scalar(let text, let isPlain):
            let scalar = YAMLScalar(
                text: text, isQuoted: !isPlain, isText: !isPlain || PlainScalar.isText(text))
            return YAMLNode(line: first.line, content: .scalar(scalar))
        case .listStart: return YAMLNode(line: first.line, content: .list(try list(&events, depth: depth + 1)))
        case .mappingStart:
            return YAMLNode(line: first.line, content: .mapping(try mapping(&events, depth: depth + 1)))
        default: throw .init(line: first.line, message: "is not YAML. Use keys, values and lists.")
        }
    }

    private static func list(_ events: inout YAMLEvents, depth: Int) throws(YAMLEvents.Refusal) -> [YAMLNode] {
        var nodes: [YAMLNode] = []
        while true {
            let next = try events.next()
            if case .listEnd = next.event { return nodes }
            nodes.append(try node(&events, next, depth: depth))
        }
    }

    private static func mapping(
        _ events: inout YAMLEvents, depth: Int
    ) throws(YAMLEvents.Refusal) -> [(key: String, line: Int, value: YAMLNode)] {
        var entries: [(key: String, line: Int, value: YAMLNode)] = []
        var keys: Set<String> = []
        while true {
            let (event, line) = try events.next()
            if case .mappingEnd = event { return entries }
            if case .scalar(text: "<<", isPlain: true) = event {
                throw .init(line: line, message: "merge keys (<<) are not allowed. Write the keys in each section.")
            }
            guard case .scalar(let key, let isPlain) = event, !isPlain || PlainScalar.isText(key) else {
                throw .init(line: line, message: "this key is not text. Use names as keys, and numbers in quotes.")
            }
            guard keys.insert(key).inserted else {
                throw .init(line: line, message: "the key \(key) is there twice. Name each key once.")
            }
            entries.append((key, line, try node(&events, try events.next(), depth: depth)))
        }
    }
}
