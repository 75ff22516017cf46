extension PolicySection {
    /// Reads a section, if the file has it.
    ///
    /// - Parameter isSecret: Whether messages leave out a value that is in the section's place.
    func section(_ key: String, isSecret: Bool = false, _ read: (PolicySection) -> Void) {
        _ = value(key)?.section(isSecret: isSecret, read)
    }

    func requiredSection(_ key: String, _ read: (PolicySection) -> Void) {
        _ = required(key)?.section(read)
    }

    /// Reads a section, or the word `none` as `nil`.
    func sectionOrNone<Value>(_ key: String, into target: inout Value?, _ read: (PolicySection) -> Value) {
        guard let value = value(key) else { return }
        if value.isWord("none") {
            target = nil
        } else if let section = value.section(read) {
            target = section
        }
    }

    /// Reads one of `words`, or a section.
    func wordOrSection(
        _ key: String, words: [String], into word: inout String?, _ read: (PolicySection) -> Void
    ) {
        guard let value = required(key) else { return }
        if case .mapping = value.node.content {
            _ = value.section(read)
        } else if let found = words.first(where: value.isWord) {
            word = found
        } else {
            value.refuse(allowed: words.joined(separator: ", ") + ", or a section\(SectionGuide.advice(value.keyPath))")
        }
    }

    func list<Item>(
        _ key: String, count: ClosedRange<Int>, into target: inout [Item], _ read: (PolicySection) -> Item
    ) {
        if let items = value(key)?.items(count: count, of: "sections") {
            target = items.compactMap { $0.section(read) }
        }
    }

    func requiredList<Item>(
        _ key: String, count: ClosedRange<Int>, into target: inout [Item], _ read: (PolicySection) -> Item
    ) {
        if let items = required(key)?.items(count: count, of: "sections") {
            target = items.compactMap { $0.section(read) }
        }
    }

    func values<Item>(_ key: String, count: ClosedRange<Int>, _ rule: ValueRule<Item>, into target: inout [Item]) {
        if let items = value(key)?.items(count: count, of: "values") { target = items.compactMap { $0.text(rule) } }
    }

    func values<Item>(_ key: String, count: ClosedRange<Int>, _ rule: ValueRule<Item>, into target: inout [Item]?) {
        if let items = value(key)?.items(count: count, of: "values") { target = items.compactMap { $0.text(rule) } }
    }

    func requiredValues<Item>(
        _ key: String, count: ClosedRange<Int>, _ rule: ValueRule<Item>, into target: inout [Item]
    ) {
        if let items = required(key)?.items(count: count, of: "values") { target = items.compactMap { $0.text(rule) } }
    }

    /// Reads a list, or `word` as `nil`; required.
    func requiredValuesOrWord<Item>(
        _ key: String, word: String, count: ClosedRange<Int>, _ rule: ValueRule<Item>, into target: inout [Item]?
    ) {
        guard let value = required(key) else { return }
        if value.isWord(word) {
            target = nil
        } else if case .list = value.node.content {
            target = value.items(count: count, of: "values")?.compactMap { $0.text(rule) }
        } else {
            value.refuse(allowed: "\(word), or a list of \(count.lowerBound) to \(count.upperBound) values")
        }
    }
}
