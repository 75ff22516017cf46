import AuthAPI
import InternalAPI
import Policies

/// Which attributes users have, and who sets them, as the policy declares them.
struct AttributeRules: Sendable {
    let declared: [AttributePolicy]

    /// What others see of the stored values: those that are declared, and defaults where nothing fits.
    ///
    /// A value that the policy no longer declares stays stored, and is seen again once it does.
    func shown(_ stored: UserAttributes) -> UserAttributes {
        var shown = UserAttributes()
        for attribute in declared {
            let value = stored[attribute.name].flatMap { attribute.admits($0) ? $0 : nil }
            shown[attribute.name] = value ?? attribute.defaultValue
        }
        return shown
    }

    /// The wished values that users may set; the rest is skipped, never assigned.
    ///
    /// - Throws: `InvalidInput` for a value that does not have its attribute's type.
    func settable(byUser wished: UserAttributes) throws(InvalidInput) -> UserAttributes {
        var settable = UserAttributes()
        for attribute in declared where attribute.setBy == .user {
            guard let value = wished[attribute.name] else { continue }
            guard attribute.admits(value) else { throw .attribute(attribute.name) }
            settable[attribute.name] = value
        }
        return settable
    }

    /// The values that the operator wrote, who may set all.
    ///
    /// - Throws: `InvalidInput` for an attribute that is not declared, or a value that does not have its type.
    func written(_ texts: [String: String]) throws(InvalidInput) -> UserAttributes {
        var written = UserAttributes()
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            guard let attribute = declared.first(where: { $0.name == name }) else {
                throw .undeclared(name, declared: declared.map(\.name))
            }
            guard let value = attribute.value(written: text) else { throw .written(name, attribute.kind) }
            written[name] = value
        }
        return written
    }
}

extension UserAttributes {
    /// Sets values, and says which attributes have another one now, in the order of their names.
    mutating func set(_ changes: UserAttributes) -> [String] {
        let changed = changes.inOrder.filter { self[$0.name] != $0.value }
        for (name, value) in changed { self[name] = value }
        return changed.map(\.name)
    }
}
