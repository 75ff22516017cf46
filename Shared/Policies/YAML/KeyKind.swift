/// The values that a key accepts, for documents and for the JSON Schema.
indirect enum KeyKind: Sendable {
    case integer(ClosedRange<Int64>)
    case flag
    /// - Parameters:
    ///   - words: All texts, if they are few.
    ///   - pattern: A regular expression of all texts, if there is a short one.
    case text(allowed: String, words: [String], pattern: String?)
    case list(ClosedRange<Int>, of: KeyKind)
    case section([KeyDescription])
    /// A section whose keys are names that the policy chooses.
    case entries(ClosedRange<Int>, of: KeyKind)
    case either([String], or: KeyKind)
    case anyOf([KeyKind])

    var isSection: Bool { if case .section = self { true } else { false } }
}

/// A key as documents show it.
struct KeyDescription: Sendable {
    let name: String
    let help: String
    let isRequired: Bool
    /// A value, as YAML, for a key without a default.
    let example: String?
    let kind: KeyKind
    /// The value of a policy that lacks the key; `nil` if it then has none.
    let standard: YAMLNode?
}
