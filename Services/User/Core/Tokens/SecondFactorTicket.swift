import CryptoPrimitives
import InternalAPI
import StrictJSON

/// A first factor that waits for the second one, sealed as the `mfaToken` of which nothing is stored.
struct SecondFactorTicket: Codable, Sendable, Equatable {
    static let lifetimeSeconds: Int64 = 300

    let proof: SignInProof
    /// The method of the sign-in.
    let method: String
    let second: ProvedSecondFactor
    /// The deletion of the account that the person cancels (`RestoreOffer`); `nil` for an ordinary sign-in.
    let deletionRequestedAt: Int64?
    /// Unix times in seconds.
    let issuedAt: Int64
    let expiresAt: Int64

    init(_ proof: SignInProof, method: String, of user: User, deletionRequestedAt: Int64?, now: Int64) {
        (issuedAt, expiresAt) = (now, now + Self.lifetimeSeconds)
        (self.proof, self.method, self.deletionRequestedAt) = (proof, method, deletionRequestedAt)
        second = ProvedSecondFactor(user: user.id, epoch: user.epoch)
    }

    /// Both factors as one proof, which serves one call, however many tokens there are for the first factor.
    ///
    /// - Parameters:
    ///   - factors: what the second factor shows.
    ///   - call: the call that presents the second factor.
    ///   - now: Unix time in seconds.
    func proved(by factors: AuthenticationFactors, _ call: CallTag, now: Int64) -> OwnProof {
        let name = SHA256.hash(Array("latchkey:second-factor:\(proof.id)".utf8))
        let both = SignInProof(
            id: proof.id.prefix(8) + Hex.encode(name.prefix(16)),
            expiresAt: max(proof.expiresAt, now + OwnProof.lifetimeSeconds), identity: proof.identity,
            passkey: proof.passkey, password: proof.password, challengedAt: proof.challengedAt,
            token: PresentedToken(call: call.bytes, issuedAt: proof.token?.issuedAt ?? issuedAt), code: proof.code,
            factors: (proof.factors ?? AuthenticationFactors(method: method)).union(factors), second: second)
        return OwnProof(both, method: method, deletionRequestedAt: deletionRequestedAt, now: now)
    }
}

/// Seals tickets.
struct SecondFactorTicketSeal: Sendable {
    private static let context = Array("mfa token".utf8)

    private let seal: StorageSeal

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey user mfa tokens") }

    func seal(_ ticket: SecondFactorTicket) throws -> String {
        Base64URL.encode(try seal.seal(try StrictJSON.encode(ticket), context: Self.context))
    }

    /// Opens a token, or returns `nil` if it is forged or expired.
    ///
    /// - Parameter now: Unix time in seconds.
    func open(_ token: String, now: Int64) -> SecondFactorTicket? {
        guard token.utf8.count <= SealLimits.textBytesMax,
            let bytes = Base64URL.decode(token).flatMap({ seal.open($0, context: Self.context) })
        else { return nil }
        let ticket: SecondFactorTicket
        do { ticket = try StrictJSON.decode(SecondFactorTicket.self, from: bytes, limits: .own) } catch { return nil }
        return now < ticket.expiresAt ? ticket : nil
    }
}
