import AuthAPI
import InternalAPI
import Policies

/// The policy's rules for the attributes of users, for who sets them, and for the values in access tokens.
struct AttributeRules: Sendable {
    let declared: [AttributePolicy]
    /// The members of users that the policy's profiles map to claims, each once.
    var sources: [ClaimSource] = []
    /// Whether tokens contain the users' metadata, as those of the dialect `supabase` do.
    var claimsMetadata = false

    /// Whether tokens contain more of users than every deployment's do.
    var hasClaims: Bool { !sources.isEmpty || claimsMetadata }

    /// The values of all declared attributes: the stored value, or the default if no valid value is stored.
    ///
    /// The value of an attribute that the policy no longer declares stays stored, and is shown again once it is declared.
    func shown(_ stored: UserAttributes) -> UserAttributes {
        var shown = UserAttributes()
        for attribute in declared {
            let value = stored[attribute.name].flatMap { attribute.admits($0) ? $0 : nil }
            shown[attribute.name] = value ?? attribute.defaultValue
        }
        return shown
    }

    /// The requested values of those attributes that users may set. The other values are ignored.
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

    /// Stored values, completed by another account's values of those attributes that users may set and that have none.
    func completing(_ stored: UserAttributes, from other: UserAttributes) -> UserAttributes {
        var completed = stored
        for attribute in declared where attribute.setBy == .user && stored[attribute.name] == nil {
            completed[attribute.name] = other[attribute.name].flatMap { attribute.admits($0) ? $0 : nil }
        }
        return completed
    }

    /// Reads the values that the operator typed; the operator may set all attributes.
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

extension AttributeRules {
    init(_ policy: Policy) {
        self.init(
            declared: policy.attributes, sources: policy.claimSources, claimsMetadata: policy.speaksSupabase)
    }
}

extension UserAttributes {
    /// Sets values, and returns the names of the attributes whose values changed, in order.
    mutating func set(_ changes: UserAttributes) -> [String] {
        let changed = changes.inOrder.filter { self[$0.name] != $0.value }
        for (name, value) in changed { self[name] = value }
        return changed.map(\.name)
    }
}
