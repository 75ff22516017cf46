import SettingNames

/// The keys of one section of a policy file; a key that no reader reads is an error.
///
/// A reader changes its target only if the key exists and is valid, so that a target's first value is its default.
final class PolicySection {
    let keyPath: String
    let line: Int
    let findings: PolicyFindings
    private let entries: [(key: String, line: Int, value: YAMLNode)]
    private var asked: [String] = []

    init(
        _ entries: [(key: String, line: Int, value: YAMLNode)], line: Int, keyPath: String, findings: PolicyFindings
    ) {
        self.entries = entries
        self.line = line
        self.keyPath = keyPath
        self.findings = findings
    }

    /// The value of `key`, if the file has one.
    func value(_ key: String) -> PolicyValue? {
        if !asked.contains(key) { asked.append(key) }
        guard let entry = entries.first(where: { $0.key == key }) else { return nil }
        return PolicyValue(node: entry.value, keyPath: path(key), findings: findings)
    }

    /// Whether the file has the key.
    func has(_ key: String) -> Bool { entries.contains { $0.key == key } }

    /// Returns the value of `key`, or reports that it is missing.
    func required(_ key: String) -> PolicyValue? {
        if let value = value(key) { return value }
        findings.add(line: line, keyPath: path(key), "is missing\(SectionGuide.addition(path(key)))")
        return nil
    }

    /// Returns the entries of a section whose keys are names that the policy chooses.
    func named(_ rule: TextRule, count: ClosedRange<Int>) -> [(name: String, value: PolicyValue)] {
        if !count.contains(entries.count) {
            findings.add(
                line: line, keyPath: keyPath,
                "\(entries.count) entries are not allowed. Use \(count.lowerBound) to \(count.upperBound).")
        }
        for entry in entries where rule.parse(entry.key) == nil {
            findings.add(line: entry.line, keyPath: path(entry.key), "this name is not allowed. Use \(rule.allowed).")
        }
        return entries.compactMap { entry in value(entry.key).map { (entry.key, $0) } }
    }

    /// Reports a problem of `key` that its value on its own does not show.
    /// - Parameter item: The part of the key's value that is meant, as a continuation of its key path.
    func refuse(_ key: String, item: String = "", _ message: String) {
        findings.add(line: entries.first { $0.key == key }?.line ?? line, keyPath: path(key) + item, message)
    }

    func refuseUnknownKeys() {
        let known = Set(asked)
        for entry in entries where !known.contains(entry.key) {
            let meant = Spelling.nearest(to: entry.key, among: asked).map { "Did you mean \($0)? " } ?? ""
            findings.add(
                line: entry.line, keyPath: path(entry.key),
                "unknown key. \(meant)Keys of \(keyPath.isEmpty ? "a policy" : keyPath)\(SectionGuide.place(keyPath)): "
                    + asked.joined(separator: ", ") + ".")
        }
    }

    private func path(_ key: String) -> String { keyPath.isEmpty ? key : "\(keyPath).\(key)" }
}
