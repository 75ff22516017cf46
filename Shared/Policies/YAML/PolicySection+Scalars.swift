extension PolicySection {
    func integer<Value: FixedWidthInteger>(_ key: String, in range: ClosedRange<Value>, into target: inout Value) {
        if let value = value(key)?.integer(in: range) { target = value }
    }

    func requiredInteger<Value: FixedWidthInteger>(
        _ key: String, in range: ClosedRange<Value>, into target: inout Value
    ) {
        if let value = required(key)?.integer(in: range) { target = value }
    }

    /// Reads an integer, or the word `none` as `nil`.
    func integerOrNone<Value: FixedWidthInteger>(
        _ key: String, in range: ClosedRange<Value>, into target: inout Value?
    ) {
        guard let value = value(key) else { return }
        if value.isWord("none") {
            target = nil
        } else if let integer = value.integer(in: range) {
            target = integer
        }
    }

    func flag(_ key: String, into target: inout Bool) {
        if let value = value(key)?.flag() { target = value }
    }

    func text(_ key: String, _ rule: TextRule, into target: inout String) {
        if let value = value(key)?.text(rule) { target = value }
    }

    func text(_ key: String, _ rule: TextRule, into target: inout String?) {
        value(key, rule, into: &target)
    }

    func value<Value>(_ key: String, _ rule: ValueRule<Value>, into target: inout Value) {
        if let value = value(key)?.text(rule) { target = value }
    }

    func value<Value>(_ key: String, _ rule: ValueRule<Value>, into target: inout Value?) {
        if let value = value(key)?.text(rule) { target = value }
    }

    func valueOrNone<Value>(_ key: String, _ rule: ValueRule<Value>, into target: inout Value?) {
        guard let value = value(key) else { return }
        if value.isWord("none") {
            target = nil
        } else if let text = value.text(rule) {
            target = text
        }
    }

    func requiredText(_ key: String, _ rule: TextRule, into target: inout String) {
        requiredValue(key, rule, into: &target)
    }

    func requiredValue<Value>(_ key: String, _ rule: ValueRule<Value>, into target: inout Value) {
        if let value = required(key)?.text(rule) { target = value }
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String, into target: inout Choice) {
        let words = Choice.allCases.map(\.rawValue)
        if let choice = value(key)?.text(.oneOf(words)).flatMap(Choice.init(rawValue:)) { target = choice }
    }

    /// - Returns: Whether the key exists and is valid.
    @discardableResult
    func requiredChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, into target: inout Choice
    ) -> Bool {
        let words = Choice.allCases.map(\.rawValue)
        guard let choice = required(key)?.text(.oneOf(words)).flatMap(Choice.init(rawValue:)) else { return false }
        target = choice
        return true
    }
}
