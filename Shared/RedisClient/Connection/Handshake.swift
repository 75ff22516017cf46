/// The meaning of the replies to `AUTH`, `PING` and `ROLE` at the start of a connection.
enum Handshake {
    /// Returns why the connection is unusable, or `nil` if it can be used.
    ///
    /// - Parameter isRole: Whether it is the reply to `ROLE`.
    static func failure(for reply: RedisReply, isRole: Bool) -> RedisError? {
        switch reply {
        case .failure(let error): failure(for: error, isRole: isRole)
        // The first element is master, slave or sentinel.
        case .success(let value): !isRole || value.arrayValue?.first?.text == "master" ? nil : .replaced
        }
    }

    private static func failure(for error: RedisError, isRole: Bool) -> RedisError? {
        guard let prefix = error.replyPrefix else { return error }
        // A user without the right to PING is known to the server, and the server has replied. Without ROLE it is unknown whether it is
        // the master.
        if prefix == "NOPERM" { return isRole ? .mayNotAskRole : nil }
        // WRONGPASS, NOAUTH, and the ERR that mentions AUTH if the server has no password at all.
        if prefix == "WRONGPASS" || error.message.contains("AUTH") {
            return RedisError(.authenticationFailed, error.message)
        }
        // LOADING, "ERR max number of clients reached": a later attempt may succeed.
        return RedisError(.connectionLost, error.message)
    }
}
