extension API {
    /// Tells the server that a session has ended.
    ///
    /// - Returns: whether the server has confirmed it within 10 seconds. A session that the server does not know any more
    ///   counts as ended.
    @discardableResult
    func signOut(_ token: KeptSignOut.Token, everywhere: Bool = false) async -> Bool {
        var body: [String: JSONValue?] = ["scope": everywhere ? .string(KeptSignOut.everywhere) : nil]
        var call = Call(method: .post, path: "/auth/logout", limit: .seconds(10))
        switch token {
        case .access(let bearer): call.bearer = bearer
        case .refresh(let token): body["refreshToken"] = .string(token)
        }
        call.body = body
        do throws(AuthError) {
            let reply = try await send(call)
            let isOver = reply.status == 401 && reply.code != nil
            // A token that has ended ends its own session only.
            if isOver, everywhere, call.bearer != nil { return await signOut(token) }
            return isOver || reply.status == 200 && reply.json != nil
        } catch {
            return false
        }
    }
}
