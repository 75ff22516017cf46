/// One key of a section of a policy file: its name, its place in the section's value, its form, and its help.
///
/// The key changes its place only if it is in the file and valid, so the first value of the place is the default. A table of keys
/// reads a section, and the reference of the format, its JSON Schema and the list of a policy's values are made from it.
struct Key<Owner>: Sendable {
    let name: String
    let help: String
    let isRequired: Bool
    private let example: String?
    private let kind: @Sendable (Owner) -> KeyKind
    fileprivate let read: @Sendable (PolicySection, inout Owner) -> Void
    /// The value as a policy file would state it; `nil` if there is none.
    let node: @Sendable (Owner) -> YAMLNode?

    /// - Parameter owner: A section before it is read, which has the default.
    func described(in owner: Owner) -> KeyDescription {
        KeyDescription(
            name: name, help: help, isRequired: isRequired, example: example, kind: kind(owner),
            standard: isRequired ? nil : node(owner))
    }

    /// The key of a section that consists of `Owner` and more.
    func within<Outer>(_ place: any WritableKeyPath<Outer, Owner> & Sendable) -> Key<Outer> {
        Key<Outer>(
            name: name, help: help, isRequired: isRequired, example: example,
            kind: { [kind] in kind($0[keyPath: place]) }, read: { [read] in read($0, &$1[keyPath: place]) },
            node: { [node] in node($0[keyPath: place]) })
    }
}

extension Key {
    init<Value>(
        _ name: String, _ place: any WritableKeyPath<Owner, Value> & Sendable, _ form: KeyForm<Value>,
        _ help: String, required: Bool = false, example: String? = nil
    ) {
        self.init(name, place, help, required: required, example: example) { _ in form }
    }

    /// A key without a default.
    init<Value>(
        _ name: String, optional place: any WritableKeyPath<Owner, Value?> & Sendable, _ form: KeyForm<Value>,
        _ help: String, required: Bool = false, example: String? = nil
    ) {
        self.init(name, place, help, required: required, example: example) { _ in form.optional }
    }

    /// A section whose keys have their defaults in the value at its place.
    ///
    /// - Parameter then: The rules that concern several of its keys.
    init<Value: Sendable>(
        _ name: String, section place: any WritableKeyPath<Owner, Value> & Sendable, _ keys: [Key<Value>],
        _ help: String, required: Bool = false, example: String? = nil,
        then: @escaping @Sendable (PolicySection, inout Value) -> Void = { _, _ in }
    ) {
        self.init(name, place, help, required: required, example: example) {
            .section($0[keyPath: place], keys, then: then)
        }
    }

    /// A key whose form depends on the keys above it.
    init<Value>(
        _ name: String, _ place: any WritableKeyPath<Owner, Value> & Sendable, _ help: String, required: Bool = false,
        example: String? = nil, form: @escaping @Sendable (Owner) -> KeyForm<Value>
    ) {
        self.init(
            name: name, help: help, isRequired: required, example: example, kind: { form($0).kind() },
            read: { section, owner in
                guard let found = required ? section.required(name) : section.value(name) else { return }
                if let value = form(owner).read(found) { owner[keyPath: place] = value }
            }, node: { form($0).node($0[keyPath: place]) })
    }
}

extension Array {
    /// Reads all keys, so that everything that is wrong or missing is found at once.
    func read<Owner>(_ section: PolicySection, into owner: inout Owner) where Element == Key<Owner> {
        for key in self { key.read(section, &owner) }
    }

    func described<Owner>(in owner: Owner) -> [KeyDescription] where Element == Key<Owner> {
        map { $0.described(in: owner) }
    }

    /// The values of all keys that have one, as a policy file would state them.
    func node<Owner>(_ owner: Owner) -> YAMLNode where Element == Key<Owner> {
        YAMLNode(section: compactMap { key in key.node(owner).map { (key.name, $0) } })
    }
}
