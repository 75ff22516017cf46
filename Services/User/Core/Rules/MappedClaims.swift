import AccessTokens
import AuthAPI
import InternalAPI
import Policies
import Storage
import StrictJSON

extension AttributeRules {
    /// The most bytes of a user's mapped values, as JSON with their sources.
    static let mappedBytesMax = 1_024

    /// The values of the sources that profiles map to claims, by their sources; `nil` if there are none.
    ///
    /// A value that no claim can have is left out, and so is one for which there is no room beside those before it, in the order in
    /// which the policy lists them. Without a mapping nothing is parsed, so that a sign-in costs what it did.
    /// - Throws: `StorageError` if the stored metadata is damaged.
    func mapped(_ user: User) throws(StorageError) -> [String: ClaimValue]? {
        guard !sources.isEmpty else { return nil }
        let app = sources.contains(where: \.isApp) ? try user.metadata.app.stored() : .null
        let attributes = shown(user.attributes)
        var (mapped, room): ([String: ClaimValue], Int) = ([:], Self.mappedBytesMax)
        for source in sources {
            let value: ClaimValue? =
                switch source {
                case .app(let key): app[key].flatMap(ClaimValue.init)
                case .attribute(let name): attributes[name].map(ClaimValue.init)
                }
            guard let value else { continue }
            let size = source.text.utf8.count + value.json.canonical.count
            guard size <= room else { continue }
            mapped[source.text] = value
            room -= size
        }
        return mapped.isEmpty ? nil : mapped
    }
}

extension User {
    /// The user's claims in access tokens, with those that profiles map.
    func claims(_ rules: AttributeRules) throws(StorageError) -> UserClaims {
        var claims = claims
        claims.mapped = try rules.mapped(self)
        return claims
    }

    /// The user with a raised version if mapped values differ from those before a change, so that earlier access tokens are refused.
    func raisingVersion(from before: User, _ rules: AttributeRules) throws(StorageError) -> User {
        guard version == before.version, try rules.mapped(self) != rules.mapped(before) else { return self }
        var user = self
        user.version += 1
        return user
    }
}

extension ClaimValue {
    fileprivate init(_ value: AttributeValue) {
        switch value {
        case .boolean(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .string(let value): self = .string(value)
        }
    }
}
