/// `POST /auth/refresh`, and what its response means for the session.
extension API {
    /// The outcome of a renewal.
    enum Renewal: Sendable, Equatable {
        case rotated(Tokens)
        /// The server has ended the session.
        case ended(SignOutReason)
        /// A late copy of a request of another process: the successor is in the store already, or soon.
        case superseded
        /// The response says nothing about the session.
        case failed(AuthError)
    }

    func renew(_ refreshToken: String, key: String) async -> Renewal {
        let call = Call(
            method: .post, path: "/auth/refresh", body: ["refreshToken": .string(refreshToken)], idempotencyKey: key)
        do throws(AuthError) {
            return Self.outcome(try await send(call))
        } catch {
            // No caller has cancelled this: a renewal belongs to none.
            return .failed(error == .cancelled ? .offline : error)
        }
    }

    /// Only two responses end a session: 401 with the code `invalid_refresh_token`, and 403 with `account_inactive`. A
    /// firewall or a portal answers 401 and 403 as well.
    static func outcome(_ reply: Reply) -> Renewal {
        switch (reply.status, reply.code) {
        case (200, _): Tokens(reply.json).map(Renewal.rotated) ?? .failed(.notLatchkey)
        case (401, "invalid_refresh_token") where reply.reason == "superseded": .superseded
        case (401, "invalid_refresh_token"): .ended(reason(reply.reason))
        case (403, Reply.inactive): .ended(.inactive)
        default: .failed(reply.error)
        }
    }

    private static func reason(_ text: String?) -> SignOutReason {
        switch text {
        case "expired": .expired
        case "reused": .reused
        case "deleted": .deleted
        default: .ended
        }
    }
}
