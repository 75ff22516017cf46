import Foundation

@testable import Policies

/// The reference of policy files for people: the tables of `reference/policy.md` and the comments of `howru.yaml`.
enum PolicyReference {
    static let keys = Policy.keys.described(in: Policy(unread: ""))

    /// The values of a kind in words.
    static func words(_ kind: KeyKind) -> String {
        switch kind {
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .text(let allowed, _, _): allowed
        case .list(let count, let item):
            (count.lowerBound == 0 ? "at most \(count.upperBound)" : "\(count.lowerBound) to \(count.upperBound)")
                + (isTable(item) ? " sections" : limit(item).map { " limits" + $0 } ?? " of: \(words(item))")
        case .section(let keys):
            isTable(kind)
                ? "a section"
                : limit(kind).map { "a limit" + $0 } ?? "{ "
                    + keys.map { "\($0.name): \(words($0.kind))" }.joined(separator: ", ") + " }"
        case .entries(let count, let item):
            "a section of \(count.lowerBound) to \(count.upperBound) names, each with "
                + (isTable(item) ? "a section" : words(item))
        case .either(let names, let other): names.joined(separator: ", ") + ", or \(words(other))"
        case .anyOf(let kinds): kinds.map(words).joined(separator: "; ")
        }
    }

    /// The words behind "limit" if a section is one, which the page explains once: its own bound, or nothing.
    private static func limit(_ kind: KeyKind) -> String? {
        guard case .section(let keys) = kind, keys.map(\.name) == ["max", "windowSeconds"],
            case .integer(let range) = keys[0].kind
        else { return nil }
        return range.upperBound == 1_000_000 ? "" : " with a max of at most \(range.upperBound)"
    }

    /// Whether a section has a table of its own; one with nothing but required keys is shown in its place.
    private static func isTable(_ kind: KeyKind) -> Bool {
        if case .section(let keys) = kind { !keys.allSatisfy(\.isRequired) } else { false }
    }

    /// The keys of the sections in a value, and the words between its key path and theirs.
    static func inside(_ kind: KeyKind) -> (keys: [KeyDescription], path: String)? {
        switch kind {
        case .section(let keys): (keys, "")
        case .list(_, let item): inside(item).map { ($0.keys, "[]") }
        case .entries(_, let item): inside(item).map { ($0.keys, ".NAME") }
        case .either(_, let other): inside(other)
        case .anyOf(let kinds): kinds.lazy.compactMap(inside).first
        default: nil
        }
    }

    /// The default in words, or `nil` if the documents show none.
    private static func standard(_ key: KeyDescription) -> String? {
        if key.isRequired || inside(key.kind).map({ isTable(.section($0.keys)) }) == true { return nil }
        return key.standard.map { ["\"\"", "[]", "{}"].contains($0.flow) ? "empty" : $0.flow } ?? "none"
    }

    // MARK: - reference/policy.md

    /// The tables of all sections.
    static func tables() -> String {
        var text = ""
        var shown: [String: String] = [:]
        func table(_ keys: [KeyDescription], _ title: String, _ path: String) {
            let names = keys.map(\.name).joined(separator: " ")
            if let earlier = shown[names] {
                text += "### \(title)\n\nThe keys of \(earlier).\n\n"
                return
            }
            shown[names] = "`\(path)`"
            text += "### \(title)\n\n| key | meaning | allowed | default |\n|---|---|---|---|\n"
            for key in keys { text += row(key) }
            text += "\n"
            for key in keys {
                guard let (inner, infix) = inside(key.kind), isTable(.section(inner)) else { continue }
                let below = (path.isEmpty ? key.name : "\(path).\(key.name)") + infix
                table(inner, "Keys of `\(below)`", below)
            }
        }
        table(keys, "Keys of a policy", "")
        return text
    }

    private static func row(_ key: KeyDescription) -> String {
        let meaning = key.help.replacing(/\(docs\/(.*?)\)/) { "([more](../\($0.output.1)))" }
        let last =
            key.isRequired ? "required" : standard(key).map { ["none", "empty"].contains($0) ? $0 : "`\($0)`" } ?? ""
        let allowed = words(key.kind).replacing("*", with: "\\*").replacing("<", with: "&lt;")
        return "| `\(key.name)` | \(meaning) | \(allowed) | \(last) |\n"
    }

    // MARK: - howru.yaml

    /// The comment of a key.
    static func comment(_ key: KeyDescription) -> String {
        var parts = key.isRequired ? ["Required."] : []
        if !key.help.isEmpty { parts.append(key.help) }
        var rules = inside(key.kind).map { isTable(.section($0.keys)) } == true ? [] : [words(key.kind)]
        if case .flag = key.kind { rules = [] }
        if let standard = standard(key), !key.help.contains("default") { rules.append("default \(standard)") }
        let text = rules.joined(separator: "; ")
        // Words of the file itself keep their case.
        let isWord =
            switch key.kind {
            case .text(_, let words, _): !words.isEmpty
            case .either: true
            default: false
            }
        parts.append(isWord ? text : text.prefix(1).uppercased() + text.dropFirst())
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
