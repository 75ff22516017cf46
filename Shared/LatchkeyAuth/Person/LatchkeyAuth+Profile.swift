/// The user's profile and account.
extension LatchkeyAuth {
    /// Reads the profile from the server.
    @discardableResult
    public func reloadUser() async throws(AuthError) -> User {
        try keep(try await authorized(API.Call(method: .get, path: "/users/me")))
    }

    /// Changes the user's name; `nil` removes it.
    @discardableResult
    public func update(name: String?) async throws(AuthError) -> User {
        try await update(["name": name.map(AttributeValue.string)])
    }

    /// Changes the profile. Phone number and email address are identities: see ``addIdentity(_:code:)``.
    ///
    /// - Parameter attributes: the members to change, such as `["name": .string("Betty")]`. A value of `nil` removes one.
    @discardableResult
    public func update(_ attributes: [String: AttributeValue?]) async throws(AuthError) -> User {
        let body = attributes.mapValues { value -> JSONValue? in value?.json ?? .null }
        return try keep(try await authorized(API.Call(method: .patch, path: "/users/me", body: body)))
    }

    /// Changes the password. Where the server's policy says so, all sessions end, this one included.
    /// - Throws: ``AuthError/passwordRefused`` if the old password is wrong.
    public func changePassword(from old: String, to new: String) async throws(AuthError) {
        let call = API.Call(
            method: .post, path: "/auth/change-password",
            body: ["oldPassword": .string(old), "newPassword": .string(new)], idempotencyKey: RandomBytes.token())
        try await authorized(call)
    }

    /// Deletes the account, or schedules its deletion, as the server's policy says. The user is signed out.
    ///
    /// - Parameter password: the user's password, to be checked by the server; `nil` if they have none.
    public func deleteAccount(password: String? = nil) async throws(AuthError) {
        let body = password.map { ["password": JSONValue?.some(.string($0))] }
        let path = password == nil ? "/users/me" : "/auth/account"
        try await authorized(API.Call(method: .delete, path: path, body: body))
        engine.feed { _ in .over(.deleted) }
    }

    func keep(_ json: JSONValue) throws(AuthError) -> User {
        guard let user = User(json) else { throw .notLatchkey }
        engine.feed { _ in .userChanged(user) }
        return user
    }
}
