import Foundation

@testable import Policies

/// A policy file in which the comments of all keys, also of those that are comments themselves, come from the table of keys.
struct PolicyComments {
    private static let width = 128
    private static let columns = [27, 43]

    /// The key paths of the lines, with `[]` for lists and `NAME` for chosen names.
    private(set) var keyPaths: Set<String> = []
    private var path: [(indent: Int, name: String, keys: [KeyDescription]?, isNamed: Bool)] = []
    private var out: [String] = []

    /// Writes the comments of a file, except for those before its first empty line.
    mutating func rewrite(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let head = lines.firstIndex(of: "") ?? 0
        out = Array(lines[..<head])
        for (line, next) in zip(lines[head...], lines[(head + 1)...] + [""]) { add(line, next: next) }
        return out.joined(separator: "\n")
    }

    private mutating func add(_ line: String, next: String) {
        let bare = Self.uncommented(line)
        let content = line.drop { $0 == " " || $0 == "#" }
        let isComment = line.drop { $0 == " " }.hasPrefix("#")
        guard let match = bare.prefixMatch(of: /( *)(- )?(\w+):( |$)/) else {
            // A comment without a key is an old one; everything else is a value.
            if !isComment || content.hasPrefix("- {") || content.hasPrefix("[") { out.append(Self.code(line)) }
            return
        }
        let indent = match.output.1.count + (match.output.2?.count ?? 0)
        let key = find(String(match.output.3), at: indent)
        if isComment, key == nil, !isName(at: indent) { return }
        guard let key else { return out.append(Self.code(line)) }
        let values = [bare[match.range.upperBound...], next.drop { " #-".contains($0) }]
        let isFlow = values.contains { $0.drop { " [".contains($0) }.hasPrefix("{") }
        var comment = key.help.isEmpty ? "" : PolicyReference.comment(key)
        if isFlow, let inner = PolicyReference.inside(key.kind)?.keys, !inner.allSatisfy(\.isRequired),
            inner.count < 9
        {
            for key in inner { keyPaths.insert(path.map(\.name).joined(separator: ".") + ".\(key.name)") }
            comment += " " + inner.map { "`\($0.name)`: \(PolicyReference.comment($0))" }.joined(separator: ". ") + "."
        }
        write(Self.code(line), comment, isSection: Self.code(line).hasSuffix(":"))
    }

    /// Whether the line that was found last is a name that the policy chooses.
    private func isName(at indent: Int) -> Bool { path.last?.indent == indent && path.last?.name == "NAME" }

    /// Returns the key of a line, and makes it the last of the path.
    private mutating func find(_ name: String, at indent: Int) -> KeyDescription? {
        let before = path
        while let last = path.last, last.indent >= indent { path.removeLast() }
        if path.last?.isNamed == true {
            path.append((indent, "NAME", path.last?.keys, false))
            return nil
        }
        let keys = path.isEmpty ? (indent == 0 ? PolicyReference.keys : nil) : path.last?.keys
        guard let key = keys?.first(where: { $0.name == name }) else {
            path = before
            return nil
        }
        let inner = PolicyReference.inside(key.kind)
        path.append((indent, name + (inner?.path == "[]" ? "[]" : ""), inner?.keys, Self.isNamed(key.kind)))
        keyPaths.insert(path.map(\.name).joined(separator: "."))
        return key
    }

    private static func isNamed(_ kind: KeyKind) -> Bool {
        switch kind {
        case .entries: true
        case .either(_, let other): isNamed(other)
        default: false
        }
    }

    /// Writes a line with its comment: behind it if there is room, else above it.
    private mutating func write(_ line: String, _ comment: String, isSection: Bool) {
        guard !comment.isEmpty else { return out.append(line) }
        let column = Self.columns.first { line.count < $0 } ?? line.count + 1
        if !isSection, column + 2 + comment.count <= Self.width {
            return out.append(line.padding(toLength: column, withPad: " ", startingAt: 0) + "# " + comment)
        }
        let isComment = line.drop { $0 == " " }.hasPrefix("#")
        let start = line.prefix { " #".contains($0) } + (isComment ? "" : "# ")
        var current = ""
        for word in comment.split(separator: " ") {
            if !current.isEmpty, start.count + current.count + 1 + word.count > Self.width {
                out.append(start + current)
                current = ""
            }
            current += (current.isEmpty ? "" : " ") + word
        }
        out.append(start + current)
        out.append(line)
    }

    /// The line as it would be without the `#` that makes it a comment.
    private static func uncommented(_ line: String) -> String {
        let indent = line.prefix { $0 == " " }
        let rest = line.dropFirst(indent.count)
        return rest.hasPrefix("# ") ? String(indent + rest.dropFirst(2)) : line
    }

    /// The line without the comment behind its value.
    private static func code(_ line: String) -> String {
        var isQuoted = false
        var before: Character = " "
        let start = line.prefix { $0 == " " || $0 == "#" }
        var code = String(start)
        for character in line.dropFirst(start.count) {
            if character == "\"" { isQuoted.toggle() }
            if character == "#", before == " ", !isQuoted { break }
            code.append(character)
            before = character
        }
        while code.last == " " { code.removeLast() }
        return code
    }
}
