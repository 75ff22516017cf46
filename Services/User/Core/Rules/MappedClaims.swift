import AccessTokens
import AuthAPI
import InternalAPI
import Policies
import Storage
import StrictJSON

extension AttributeRules {
    /// The most bytes of a user's mapped values, as JSON with their sources.
    static let mappedBytesMax = 1_024

    /// The most bytes of the operator's and of the user's metadata in a token.
    private static let (appBytesMax, ownBytesMax) = (1_536, 2_048)

    /// The metadata that tokens contain, or `nil` if there is none. An object that is too large or too deep for a token is left out,
    /// so that proxies and verifiers accept the token.
    func claimed(_ metadata: UserMetadata) -> UserMetadata? {
        guard claimsMetadata, !metadata.isEmpty else { return nil }
        return UserMetadata(
            app: metadata.app.fitting(Self.appBytesMax), own: metadata.own.fitting(Self.ownBytesMax)
        ).orNil
    }

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
        claims.metadata = rules.claimed(metadata)
        return claims
    }

    /// The user with a raised version if values in tokens differ from those before a change, so that sessions get them.
    ///
    /// Earlier access tokens are refused, and stay valid if only metadata differs: clients of the dialect `supabase` do not refresh
    /// before a token expires.
    func raisingVersion(
        from before: User, _ rules: AttributeRules
    ) throws(StorageError) -> (user: User, keepsTokens: Bool) {
        guard version == before.version else { return (self, false) }
        let isMapped = try rules.mapped(self) != rules.mapped(before)
        guard isMapped || rules.claimed(metadata) != rules.claimed(before.metadata) else { return (self, false) }
        var user = self
        user.version += 1
        return (user, !isMapped)
    }
}

extension MetadataObject {
    /// The object, or an empty one if it does not fit in so many bytes or is too deep to be a part of a token's payload.
    fileprivate func fitting(_ bytesMax: Int) -> MetadataObject {
        let limits = StrictJSON.Limits(bytesMax: bytesMax, depthMax: TokenLimits.depthMax - 1)
        do throws(StrictJSONError) { try StrictJSON.validate(Array(text.utf8), limits: limits) } catch { return .empty }
        return self
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
