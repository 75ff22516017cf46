import FoundationEssentials
import TestSupport

/// A policy of `deploy/policies` with other values, as a file of its own.
struct PolicyCopy {
    struct NotThere: Error { let key: String }

    private(set) var text: String

    init(of name: String) throws {
        text = try String(contentsOfFile: LatchkeyStack.root + "deploy/policies/\(name).yaml", encoding: .utf8)
    }

    /// Gives a key that stands in the file once another value.
    mutating func set(_ key: String, to value: String) throws {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let places = lines.indices.filter { lines[$0].drop { $0 == " " }.hasPrefix(key + ":") }
        guard places.count == 1 else { throw NotThere(key: key) }
        lines[places[0]] = lines[places[0]].prefix { $0 == " " } + "\(key): \(value)"
        text = lines.joined(separator: "\n")
    }

    /// Puts other text in the place of some that the file has.
    mutating func replace(_ old: String, with new: String) throws {
        guard text.contains(old) else { throw NotThere(key: old) }
        text.replace(old, with: new)
    }

    /// Writes it beside the other scratch of the tests, and returns its path.
    func written(as name: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        let path = folder + "latchkey-\(name)-\(UUID().uuidString).yaml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// The path of a copy with other texts, old to new; a file that could not be written stops the stack, which names it.
    static func path(of name: String, as copy: String, changing changes: KeyValuePairs<String, String>) -> String {
        do {
            var policy = try PolicyCopy(of: name)
            for (old, new) in changes { try policy.replace(old, with: new) }
            return try policy.written(as: copy)
        } catch {
            print("\(copy): \(error)")
            return copy
        }
    }
}
