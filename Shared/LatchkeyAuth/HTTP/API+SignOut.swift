extension API {
    /// Tells the server that a session has ended.
    /// - Returns: whether the server has confirmed it within 10 seconds. A session that the server does not know any more
    ///   counts as ended.
    func signOut(_ refreshToken: String, _ scope: SignOutScope) async -> Bool {
        let body: [String: JSONValue?] = [
            "refreshToken": .string(refreshToken), "scope": scope == .all ? .string(scope.rawValue) : nil,
        ]
        let call = Call(method: .post, path: "/auth/logout", body: body, limit: .seconds(10))
        do throws(AuthError) {
            let reply = try await send(call)
            return reply.status == 200 && reply.json != nil || reply.status == 401 && reply.code != nil
        } catch {
            return false
        }
    }
}
