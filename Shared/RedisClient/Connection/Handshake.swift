/// What error replies to `AUTH` and `PING` at the beginning of a connection mean.
enum Handshake {
    /// Why the connection is of no use; nil when it can serve all the same.
    static func failure(for error: RedisError) -> RedisError? {
        guard let prefix = error.replyPrefix else { return error }
        // A user that may not PING is known to the server, and the server has answered.
        if prefix == "NOPERM" { return nil }
        // WRONGPASS, NOAUTH, and the ERR that names AUTH when the server knows no password at all.
        if prefix == "WRONGPASS" || error.message.contains("AUTH") {
            return RedisError(.authenticationFailed, error.message)
        }
        // LOADING, "ERR max number of clients reached": trying again later helps.
        return RedisError(.connectionLost, error.message)
    }
}
