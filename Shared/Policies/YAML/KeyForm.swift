/// The form of a key's value: how it is read, how a policy file states it, and how documents describe it.
struct KeyForm<Value>: Sendable {
    let kind: @Sendable () -> KeyKind
    /// Returns `nil` after it has reported the problem.
    let read: @Sendable (PolicyValue) -> Value?
    /// Returns `nil` if a policy file states the value by leaving out the key.
    let node: @Sendable (Value) -> YAMLNode?

    /// The form of a place that is `nil` without the key.
    var optional: KeyForm<Value?> {
        KeyForm<Value?>(kind: kind, read: { read($0).map(Value?.some) }, node: { $0.flatMap(node) })
    }
}

extension KeyForm {
    static func text(_ rule: ValueRule<Value>) -> KeyForm {
        KeyForm(
            kind: { .text(allowed: rule.documented ?? rule.allowed, words: rule.words, pattern: rule.pattern) },
            read: { $0.text(rule) }, node: { YAMLNode(text: rule.text($0), isSecret: rule.isSecret) })
    }

    static func integer(_ range: ClosedRange<Value>) -> KeyForm where Value: FixedWidthInteger & Sendable {
        KeyForm(
            kind: { .integer(Int64(range.lowerBound)...Int64(range.upperBound)) },
            read: { $0.integer(in: range) }, node: { YAMLNode(word: "\($0)") })
    }

    /// A number, or a word that stands for one outside of the range.
    static func integer(_ range: ClosedRange<Value>, or word: String, _ number: Value) -> KeyForm
    where Value: FixedWidthInteger & Sendable {
        let form = KeyForm.integer(range)
        return KeyForm(
            kind: { .either([word], or: form.kind()) }, read: { $0.isWord(word) ? number : form.read($0) },
            node: { $0 == number ? YAMLNode(word: word) : form.node($0) })
    }

    /// The word `none`, read as `nil`, or another form.
    static func orNone<Wrapped>(_ form: KeyForm<Wrapped>) -> KeyForm where Value == Wrapped? {
        KeyForm(
            kind: { .either(["none"], or: form.kind()) },
            read: { $0.isWord("none") ? .some(nil) : form.read($0).map(Wrapped?.some) },
            node: { $0.map(form.node) ?? YAMLNode(word: "none") })
    }

    /// A list of values of one form.
    static func list<Item>(_ count: ClosedRange<Int>, _ item: KeyForm<Item>) -> KeyForm where Value == [Item] {
        KeyForm(
            kind: { .list(count, of: item.kind()) },
            read: {
                $0.items(count: count, of: item.kind().isSection ? "sections" : "values")?.compactMap(item.read)
            },
            node: { YAMLNode(line: 0, content: .list($0.compactMap(item.node))) })
    }

    static func values<Item>(
        _ count: ClosedRange<Int>, _ rule: ValueRule<Item>
    ) -> KeyForm where Value == [Item] {
        .list(count, .text(rule))
    }
}

extension KeyForm where Value == Bool {
    static var flag: KeyForm { KeyForm(kind: { .flag }, read: { $0.flag() }, node: { YAMLNode(word: "\($0)") }) }
}

extension KeyForm where Value: RawRepresentable<String> & CaseIterable & Sendable {
    static var choice: KeyForm { .text(.choice) }
}

extension KeyForm where Value: Sendable {
    /// A section with keys.
    ///
    /// - Parameters:
    ///   - initial: The value that has the defaults.
    ///   - isSecret: Whether messages leave out a value that is in the section's place.
    ///   - isSparse: Whether only values other than the defaults belong to the section.
    ///   - then: The rules that concern several of its keys.
    static func section(
        _ initial: Value, _ keys: [Key<Value>], isSecret: Bool = false, isSparse: Bool = false,
        then: @escaping @Sendable (PolicySection, inout Value) -> Void = { _, _ in }
    ) -> KeyForm {
        KeyForm(
            kind: { .section(keys.described(in: initial)) },
            read: { value in
                value.section(isSecret: isSecret) { section in
                    var read = initial
                    keys.read(section, into: &read)
                    then(section, &read)
                    return read
                }
            },
            node: { value in
                guard isSparse else { return keys.node(value) }
                let own = keys.filter { $0.node(value)?.flow != $0.node(initial)?.flow }
                return own.isEmpty ? nil : own.node(value)
            })
    }

    /// A list of sections with keys.
    ///
    /// - Parameter then: The rules of one section, which has those above it too.
    static func sections<Item: Sendable>(
        _ count: ClosedRange<Int>, _ initial: Item, _ keys: [Key<Item>],
        then: @escaping @Sendable (PolicySection, inout Item, [Item]) -> Void
    ) -> KeyForm where Value == [Item] {
        let form = KeyForm.list(count, KeyForm<Item>.section(initial, keys))
        return KeyForm(
            kind: form.kind,
            read: { value in
                guard let items = value.items(count: count, of: "sections") else { return nil }
                var read: [Item] = []
                for item in items {
                    let form = KeyForm<Item>.section(initial, keys) { [read] in then($0, &$1, read) }
                    if let item = form.read(item) { read.append(item) }
                }
                return read
            }, node: form.node)
    }

    /// A section whose keys are names that the policy chooses, each of one value.
    ///
    /// - Parameters:
    ///   - name: an item's name.
    ///   - form: the form of its value.
    ///   - place: its value.
    static func named<Item, Part>(
        _ count: ClosedRange<Int>, _ rule: TextRule, _ name: any KeyPath<Item, String> & Sendable,
        _ form: KeyForm<Part>, _ place: any KeyPath<Item, Part> & Sendable,
        item: @escaping @Sendable (String, Part) -> Item
    ) -> KeyForm where Value == [Item] {
        KeyForm(
            kind: { .entries(count, of: form.kind()) },
            read: { value in
                value.section { section in
                    section.named(rule, count: count).compactMap { name, value in
                        form.read(value).map { item(name, $0) }
                    }
                }
            },
            node: { items in
                guard !items.isEmpty else { return nil }
                return YAMLNode(
                    section: items.compactMap { item in
                        form.node(item[keyPath: place]).map { (item[keyPath: name], $0) }
                    })
            })
    }

    /// A section whose keys are names that the policy chooses, each of a section with keys.
    ///
    /// - Parameters:
    ///   - item: The value with the defaults of the section with a name.
    ///   - each: The rules of one section.
    ///   - all: The rules that concern several of them.
    static func entries<Item: Sendable>(
        _ count: ClosedRange<Int>, _ rule: TextRule, name: any KeyPath<Item, String> & Sendable, _ keys: [Key<Item>],
        each: @escaping @Sendable (PolicySection, inout Item) -> Void = { _, _ in },
        all: @escaping @Sendable (PolicySection, inout Value) -> Void = { _, _ in },
        item: @escaping @Sendable (String) -> Item
    ) -> KeyForm where Value == [Item] {
        KeyForm(
            kind: { .entries(count, of: .section(keys.described(in: item("")))) },
            read: { value in
                value.section { section in
                    var items = section.named(rule, count: count).compactMap { name, value in
                        KeyForm<Item>.section(item(name), keys, then: each).read(value)
                    }
                    all(section, &items)
                    return items
                }
            },
            node: { $0.isEmpty ? nil : YAMLNode(section: $0.map { ($0[keyPath: name], keys.node($0)) }) })
    }
}
