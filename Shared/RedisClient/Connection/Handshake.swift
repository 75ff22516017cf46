/// The meaning of the replies to `AUTH`, `PING` and `ROLE` at the start of a connection.
enum Handshake {
    /// Returns why the connection is unusable, or `nil` if it can be used.
    static func failure(for reply: RedisReply) -> RedisError? {
        switch reply {
        case .failure(let error): failure(for: error)
        // Only ROLE replies with an array; its first element is master, slave or sentinel.
        case .success(.array(let role)): role.first?.text == "master" ? nil : .replaced
        case .success: nil
        }
    }

    private static func failure(for error: RedisError) -> RedisError? {
        guard let prefix = error.replyPrefix else { return error }
        // A user without the right to PING or ROLE is known to the server, and the server has replied.
        if prefix == "NOPERM" { return nil }
        // WRONGPASS, NOAUTH, and the ERR that mentions AUTH if the server has no password at all.
        if prefix == "WRONGPASS" || error.message.contains("AUTH") {
            return RedisError(.authenticationFailed, error.message)
        }
        // LOADING, "ERR max number of clients reached": a later attempt may succeed.
        return RedisError(.connectionLost, error.message)
    }
}
