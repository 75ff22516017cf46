/// A way to recognise a person: a proved address or an account elsewhere. One identity belongs to one user.
struct Identity: Sendable, Hashable {
    /// What `value` is.
    enum Kind: String, Sendable { case phone }

    let kind: Kind
    /// In the kind's one canonical spelling: E.164 for a phone.
    let value: String

    static func phone(_ number: String) -> Identity { Identity(kind: .phone, value: number) }
}
