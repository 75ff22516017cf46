import AuthAPI
import InternalAPI

/// The bearer's sessions, which they may list and revoke.
struct OwnSessions: Sendable {
    /// The greatest length of a session's id; a longer one cannot exist.
    private static let idLengthMax = 64

    let token: ServiceClient

    /// Lists the bearer's sessions.
    func list(_ call: ClientCall) async throws(Refusal) -> SessionList {
        try await token.answer(TokenOperations.ownSessions, NoBody(), for: call)
    }

    /// Revokes one of the sessions; safe to repeat.
    func end(_ id: String, _ call: ClientCall) async throws(Refusal) {
        guard id.utf8.count <= Self.idLengthMax else { throw .noSuchSession }
        _ = try await token.answer(TokenOperations.endOwnSession, EndOwnSessionRequest(sessionID: id), for: call)
    }

    /// Revokes all sessions except the one of this request.
    func endOthers(_ call: ClientCall) async throws(Refusal) {
        _ = try await token.answer(TokenOperations.endOtherSessions, NoBody(), for: call)
    }
}
