/// The members that a refresh may not have: rights and audience are the session's, and do not grow (security guide R-34).
struct AskedRights: Decodable {
    private enum Name: String, CodingKey, CaseIterable {
        case scope, aud, audience, resource, role, claims
    }

    /// Whether the object requests rights of its own, whatever the values.
    let isAny: Bool

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        isAny = Name.allCases.contains { members.contains($0) }
    }
}

/// A body together with the rights that it requests, decoded at once.
struct AskingBody<Body: Decodable>: Decodable {
    let body: Body
    let rights: AskedRights

    init(from decoder: any Decoder) throws {
        body = try Body(from: decoder)
        rights = try AskedRights(from: decoder)
    }
}
