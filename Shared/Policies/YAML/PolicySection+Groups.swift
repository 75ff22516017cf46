extension PolicySection {
    /// - Parameter isSecret: messages leave out what stands there instead.
    func section(_ key: String, isSecret: Bool = false, _ read: (PolicySection) -> Void) {
        _ = value(key)?.section(isSecret: isSecret, read)
    }

    func requiredSection(_ key: String, _ read: (PolicySection) -> Void) {
        _ = required(key)?.section(read)
    }

    /// A section, or the word `none` for nil.
    func sectionOrNone<Value>(_ key: String, into target: inout Value?, _ read: (PolicySection) -> Value) {
        guard let value = value(key) else { return }
        if value.isWord("none") {
            target = nil
        } else if let section = value.section(read) {
            target = section
        }
    }

    /// One of `words`, or a section.
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

    /// A list, or `word` for nil; required.
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
