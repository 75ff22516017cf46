import AuthAPI
import InternalAPI

/// The bearer's sessions, as he sees and ends them.
struct OwnSessions: Sendable {
    /// Longer ids are nobody's.
    private static let idLengthMax = 64

    let token: ServiceClient

    /// Where the bearer is signed in.
    func list(_ call: ClientCall) async throws(Refusal) -> SessionList {
        try await token.answer(TokenOperations.ownSessions, NoBody(), for: call)
    }

    /// Ends one of them; safe to repeat.
    func end(_ id: String, _ call: ClientCall) async throws(Refusal) {
        guard id.utf8.count <= Self.idLengthMax else { throw .noSuchSession }
        switch try await token.ask(TokenOperations.endOwnSession, EndOwnSessionRequest(sessionID: id), for: call) {
        case .answer: return
        case .refused(.invalidRequest, _): throw .invalidMember
        case .refused(.invalidToken, _): throw .accessTokenInvalid
        case .refused(.accountInactive, _): throw .accountInactive
        // The same for another's session and for one that never was.
        case .refused(.notFound, _): throw .noSuchSession
        }
    }

    /// Ends all but the one of this request.
    func endOthers(_ call: ClientCall) async throws(Refusal) {
        _ = try await token.answer(TokenOperations.endOtherSessions, NoBody(), for: call)
    }
}
