/// A key in which two policies differ.
package struct PolicyDifference: Sendable, Equatable {
    package let keyPath: String
    /// The values of both; `nil` if one of them lacks the key.
    package let old: StatedValue?
    package let new: StatedValue?

    /// The name of the section, which is the first part of the key path.
    var section: Substring { keyPath.prefix { $0 != "." && $0 != "[" } }
}

extension Policy {
    /// The sections that only the gateway uses, and reads again while it runs.
    package static let reloadedSections: Set<Substring> = [
        "edge", "cors", "cookies", "trustedProxies", "tracing", "upstreams", "routes",
    ]

    /// Returns the keys in which another policy differs, defaults included, in the order of a policy.
    package func differences(to other: Policy) -> [PolicyDifference] {
        let (mine, others) = (values, other.values)
        let (before, after) = (Self.byKey(mine), Self.byKey(others))
        let keys = mine.map(\.keyPath) + others.map(\.keyPath).filter { before[$0] == nil }
        return keys.compactMap { key in
            let (old, new) = (before[key], after[key])
            // An empty list is no difference if the sections of the other policy's list are.
            if [old, new].compactMap({ $0?.text }) == ["[]"], keys.contains(where: { $0.hasPrefix(key + "[") }) {
                return nil
            }
            // A key that is missing is as good as none.
            let isSame = old?.text ?? "none" == new?.text ?? "none"
            return isSame ? nil : PolicyDifference(keyPath: key, old: old, new: new)
        }
    }

    /// Returns the keys in which another policy differs, and which apply only after all processes have been started again.
    package func keysForRestart(to other: Policy) -> [String] {
        differences(to: other).filter { !Self.reloadedSections.contains($0.section) }.map(\.keyPath)
    }

    private static func byKey(_ values: [StatedValue]) -> [String: StatedValue] {
        Dictionary(values.map { ($0.keyPath, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
