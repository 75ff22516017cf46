import SettingNames

/// A value of a policy file before it has a type. Each reader returns `nil` after it has reported the problem.
struct PolicyValue {
    let node: YAMLNode
    let keyPath: String
    let findings: PolicyFindings

    /// Reports that the value is not allowed.
    ///
    /// - Parameter isSecret: Whether the message leaves out the value.
    func refuse(isSecret: Bool = false, allowed: String) {
        let shown = isSecret ? "this value" : node.shown
        findings.add(line: node.line, keyPath: keyPath, "\(shown) is not allowed. Use \(allowed).")
    }

    /// Reads decimal digits with an optional minus; YAML's other spellings (`0o17`, `1_000`, `1e3`) are refused.
    func integer<Value: FixedWidthInteger>(in range: ClosedRange<Value>) -> Value? {
        if case .scalar(let scalar) = node.content, !scalar.isQuoted, Self.isDecimal(scalar.text),
            let value = Value(scalar.text), range.contains(value)
        {
            return value
        }
        refuse(allowed: "\(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    func flag() -> Bool? {
        if case .scalar(let scalar) = node.content, !scalar.isQuoted, let flag = Bool(scalar.text) { return flag }
        refuse(allowed: "true or false")
        return nil
    }

    func text<Value>(_ rule: ValueRule<Value>) -> Value? {
        guard case .scalar(let scalar) = node.content else {
            refuse(allowed: rule.allowed)
            return nil
        }
        if scalar.isText, let value = rule.parse(scalar.text) { return value }
        let shown = rule.isSecret ? "this value" : scalar.shown
        let fault =
            scalar.isText ? "is not allowed." : "is not text for YAML; put it in quotes if that is what you mean."
        let meant = scalar.isText && !rule.isSecret ? Spelling.nearest(to: scalar.text, among: rule.words) : nil
        findings.add(
            line: node.line, keyPath: keyPath,
            "\(shown) \(fault)" + (meant.map { " Did you mean \($0)?" } ?? "") + " Use \(rule.allowed).")
        return nil
    }

    func items(count: ClosedRange<Int>, of kind: @autoclosure () -> String) -> [PolicyValue]? {
        guard case .list(let nodes) = node.content else {
            refuse(
                allowed: "a list of \(count.lowerBound) to \(count.upperBound) \(kind())\(SectionGuide.advice(keyPath))"
            )
            return nil
        }
        guard count.contains(nodes.count) else {
            findings.add(
                line: node.line, keyPath: keyPath,
                "\(nodes.count) entries are not allowed. Use \(count.lowerBound) to \(count.upperBound).")
            return nil
        }
        return nodes.enumerated().map { index, node in
            PolicyValue(node: node, keyPath: "\(keyPath)[\(index)]", findings: findings)
        }
    }

    /// Reads a section and reports every key in it that `read` has not read.
    func section<Value>(isSecret: Bool = false, _ read: (PolicySection) -> Value) -> Value? {
        guard case .mapping(let entries) = node.content else {
            refuse(isSecret: isSecret, allowed: "a section\(SectionGuide.advice(keyPath))")
            return nil
        }
        let section = PolicySection(entries, line: node.line, keyPath: keyPath, findings: findings)
        let value = read(section)
        section.refuseUnknownKeys()
        return value
    }

    /// Whether the value is `word`, with or without quotes, which JSON requires.
    func isWord(_ word: String) -> Bool {
        if case .scalar(let scalar) = node.content { scalar.text == word } else { false }
    }

    private static func isDecimal(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return false }
        return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
