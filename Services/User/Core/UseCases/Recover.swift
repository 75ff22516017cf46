import CryptoPrimitives
import InternalAPI

/// Turns the link or the code of a forgotten password into a proof of its email address. Its session may set one password soon
/// (`RecoverySession`), and a second factor is needed as for any other sign-in.
struct Recover: Sendable {
    let accounts: AccountParts

    /// - Throws: `GuessLimitsFailure`, `StorageError`; the link is not used then.
    func callAsFunction(_ request: AccountLinkRequest) async throws -> AccountAnswer {
        let hash: [UInt8]
        switch try await accounts.presented(request, for: .reset) {
        case .link(let found): hash = found
        case .refused(let answer): return answer
        }
        let call = accounts.tags.tag(
            AccountOperations.recover.path, callID: request.callID, body: [Hex.encode(hash)])
        return try await accounts.act(.link(hash: hash), call) { facts, now in
            guard let link = facts.link, link.purpose == .reset, ResetPassword.isGood(link, facts) else {
                return .refused(.invalidLink)
            }
            let proof = try accounts.proof(
                call, of: link.address, method: Attestation.recoveryMethod, challengedAt: link.createdAt, now: now)
            // Neither the link nor the code beside it signs in once more.
            return Verdict(
                AccountReply(answer: AccountAnswer(.done, proof: proof), user: link.subject),
                [.endLinks(of: link.subject)])
        }
    }
}

/// The rule for a session that the code of a forgotten password has opened.
enum RecoverySession {
    /// How many seconds after its begin the session may set a password without the old one.
    static let seconds: Int64 = 600

    /// Whether the session may set a password now, or `nil` if it did not begin with such a code or its user has shown again since who
    /// they are: then the rule for any other session applies.
    ///
    /// - Parameters:
    ///   - changedAt: when the password was last changed; `nil` if it was never.
    ///   - now: Unix time in seconds, as all others.
    static func maySetPassword(_ session: SessionAuthentication, changedAt: Int64?, now: Int64) -> Bool? {
        guard let begin = session.recoveredAt, session.authenticatedAt <= begin else { return nil }
        return now - begin < seconds && (changedAt ?? 0) < begin
    }
}
