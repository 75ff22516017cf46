import Foundation

@testable import Policies

/// The JSON Schema of policy files, made from the keys; it is in draft 7, which editors know best.
enum PolicySchema {
    static func root() -> [String: Any] {
        var schema = object(Policy.keys.described(in: Policy(unread: "")))
        schema["$schema"] = "http://json-schema.org/draft-07/schema#"
        schema["title"] = "Latchkey policy"
        return schema
    }

    static func text() throws -> String {
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try JSONSerialization.data(withJSONObject: root(), options: options)
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private static func object(_ keys: [KeyDescription]) -> [String: Any] {
        [
            "type": "object", "additionalProperties": false, "required": keys.filter(\.isRequired).map(\.name),
            "properties": Dictionary(uniqueKeysWithValues: keys.map { ($0.name, property($0)) }),
        ]
    }

    private static func property(_ key: KeyDescription) -> [String: Any] {
        var schema = value(key.kind)
        if !key.help.isEmpty { schema["description"] = key.help }
        if let standard = key.standard, !key.kind.isSection, !isRefused(standard, key.kind) {
            schema["default"] = json(standard)
        }
        return schema
    }

    /// Whether a default cannot be written: an empty list, for a key that is left out instead.
    private static func isRefused(_ standard: YAMLNode, _ kind: KeyKind) -> Bool {
        if case (.list(let items), .list(let count, _)) = (standard.content, kind) {
            !count.contains(items.count)
        } else {
            false
        }
    }

    private static func value(_ kind: KeyKind) -> [String: Any] {
        switch kind {
        case .integer(let range): ["type": "integer", "minimum": range.lowerBound, "maximum": range.upperBound]
        case .flag: ["type": "boolean"]
        case .text(_, let words, let pattern):
            ["type": "string"].merging(words.isEmpty ? [:] : ["enum": words]) { $1 }
                .merging(pattern.map { ["pattern": $0] } ?? [:]) { $1 }
        case .list(let count, let item):
            [
                "type": "array", "minItems": count.lowerBound, "maxItems": count.upperBound, "items": value(item),
            ]
        case .section(let keys): object(keys)
        case .entries(let count, let item):
            [
                "type": "object", "minProperties": count.lowerBound, "maxProperties": count.upperBound,
                "additionalProperties": value(item),
            ]
        case .either(let words, let other): ["anyOf": [["enum": words], value(other)]]
        case .anyOf(let kinds): ["anyOf": kinds.map(value)]
        }
    }

    /// The value of a piece of YAML.
    private static func json(_ node: YAMLNode) -> Any {
        switch node.content {
        case .scalar(let scalar):
            if scalar.isText { return scalar.text }
            return Int64(scalar.text) ?? Bool(scalar.text) ?? scalar.text as Any
        case .list(let items): return items.map(json)
        case .mapping(let entries):
            return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, json($0.value)) })
        }
    }
}
