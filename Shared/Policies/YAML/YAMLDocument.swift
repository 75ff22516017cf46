import Yams

/// The one document of a policy file, read without YAML's surprises: no anchors, aliases, merge keys or tags.
struct YAMLDocument {
    static let depthMax = 16

    let file: String
    let root: YAMLNode

    /// - Throws: One finding, with the line where reading ended.
    init(parsing text: String, file: String) throws(PolicyError) {
        self.file = file
        do {
            let parser = try Parser(yaml: text, encoding: .utf8)
            let node = try parser.singleRoot()
            // Yams holds anchors weakly; they live as long as the parser.
            root = try withExtendedLifetime(parser) { try Self.convert(node, depth: 0) }
        } catch let refusal as Refusal {
            throw Self.error(file, refusal.line, refusal.message)
        } catch let error as YamlError {
            let (line, message) = Self.explain(error)
            throw Self.error(file, line, message)
        } catch {
            throw Self.error(file, nil, "is not YAML: \(error)")
        }
    }

    private struct Refusal: Error {
        let line: Int?
        let message: String
    }

    private static func error(_ file: String, _ line: Int?, _ message: String) -> PolicyError {
        PolicyError(findings: [.init(file: file, line: line, keyPath: "", message: message)])
    }

    private static func convert(_ node: Node?, depth: Int) throws -> YAMLNode {
        guard let node else { throw Refusal(line: nil, message: "is empty; allowed: a policy") }
        let line = node.mark?.line ?? 0
        guard depth < depthMax else {
            throw Refusal(line: line, message: "sections lie too deep; allowed: \(depthMax)")
        }
        guard node.anchor == nil else { throw Refusal(line: line, message: "anchors and aliases are not allowed") }
        switch node {
        case .scalar(let scalar):
            let isQuoted = scalar.style != .plain
            let isText = isQuoted || node.tag == Tag(.str)
            let value = YAMLScalar(text: scalar.string, isQuoted: isQuoted, isText: isText)
            return YAMLNode(line: line, content: .scalar(value))
        case .sequence(let sequence):
            return YAMLNode(line: line, content: .list(try sequence.map { try convert($0, depth: depth + 1) }))
        case .mapping(let mapping):
            return YAMLNode(line: line, content: .mapping(try mapping.map { try entry($0, depth: depth + 1) }))
        case .alias:
            throw Refusal(line: line, message: "anchors and aliases are not allowed")
        }
    }

    private static func entry(
        _ pair: (key: Node, value: Node), depth: Int
    ) throws -> (key: String, line: Int, value: YAMLNode) {
        let line = pair.key.mark?.line ?? 0
        guard case .scalar(let key) = pair.key, key.style != .plain || pair.key.tag == Tag(.str) else {
            throw Refusal(line: line, message: "this key is not text; allowed: names as keys, numbers in quotes")
        }
        return (key.string, line, try convert(pair.value, depth: depth))
    }

    private static func explain(_ error: YamlError) -> (line: Int?, message: String) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            (mark.line, "is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            (context.mark.line, "a key stands twice: \(duplicates.joined(separator: ", ")); allowed: each key once")
        case .reader(let problem, _, _, _):
            (nil, "is not YAML: \(problem)")
        default:
            (nil, "is not YAML")
        }
    }
}
