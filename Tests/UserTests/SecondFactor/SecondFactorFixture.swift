import CryptoPrimitives
import InternalAPI
import Storage
import Testing

@testable import UserCore

/// A user's second factor over an engine; the parts are those of the service.
struct SecondFactorFixture: Sendable {
    var base: OwnIdentityFixture

    init(_ engine: DatabaseKind, roles: String = "[]") async throws {
        base = try await OwnIdentityFixture(engine, "email: {}\nmfa: { requiredForRoles: \(roles) }\n")
    }

    var time: Int64 { base.time }
    var seal: SecondFactorSeal { SecondFactorSeal(ring: base.keys.storage) }
    private var tags: CallTags { CallTags(ring: base.keys.storage) }
    private var notices: AccountNotices {
        AccountNotices(seal: OutboxSeal(ring: base.keys.storage), sendsTexts: true)
    }
    private var act: AccountAct {
        let time = base.time
        return AccountAct(store: base.users, courier: base.courier(base.storage.outbox), now: { time })
    }

    /// Moves the clock, with a session that showed `factors` just now.
    mutating func set(_ time: Int64, _ factors: AuthenticationFactors = [.sms, .otp]) {
        base.time = time
        base.tokenService.setSignedIn(at: time)
        base.tokenService.setFactors(factors)
    }

    var change: ChangeSecondFactor {
        ChangeSecondFactor(
            act: act, recent: RecentAuthentication(tokenService: act.courier.tokenService, now: act.now),
            withinSeconds: 300, delaySeconds: 86_400, issuer: "App", seal: seal,
            move: IdentityMove(
                userIDPrefix: UserFixture.prefix, identities: IdentitySeal(ring: base.keys.storage),
                outbox: OutboxSeal(ring: base.keys.storage), attributes: UserFixture.attributes),
            notices: notices)
    }

    var prove: ProveSecondFactor {
        ProveSecondFactor(
            check: SecondFactorCheck(act: act, seal: seal, notices: notices),
            tickets: SecondFactorTicketSeal(ring: base.keys.storage), tags: tags, proofKeys: base.keys.proofs)
    }

    var resets: SecondFactorResets {
        SecondFactorResets(
            store: base.users, seal: PendingSeal(ring: base.keys.storage), delaySeconds: 86_400,
            userIDPrefix: UserFixture.prefix, notices: notices, now: act.now)
    }

    func caller(_ user: User) -> ChangeSecondFactor.Caller {
        ChangeSecondFactor.Caller(
            user: SignedInUser(id: user.id, sessionID: "s-1"), accessToken: "t", requestID: "r-1")
    }

    /// Turns TOTP on, and returns its secret and the recovery codes.
    func enrol(_ user: User) async throws -> (totp: TOTP, codes: [String]) {
        _ = try await change.enrol(caller(user)).answered
        let totp = try #require(seal.totp(try await factor(user), of: user.id))
        let request = SecondFactorChange(code: try code(totp))
        let answer = try await change.activate(request, caller(user)).answered
        return (totp, try #require(answer.recoveryCodes))
    }

    func factor(_ user: User) async throws -> SecondFactor {
        let facts = try await base.users.facts(
            UserQuestion(.account(user.id), askedAt: time, readsSecondFactor: true))
        return try #require(facts.secondFactor)
    }

    /// - Parameter offset: the step, from the current one.
    func code(_ totp: TOTP, step offset: Int64 = 0) throws -> String {
        try #require(totp.code(at: time / 30 + offset))
    }

    func require(_ user: User, _ isRequired: Bool = true) async throws -> SecondFactorAnswer.Result {
        try await change.require(SecondFactorChange(required: isRequired), caller(user)).answered.result
    }

    /// The token for the second factor that a sign-in with a code gets; `nil` if it needs none.
    func mfaToken(_ attestation: String? = nil) async throws -> HeldSignIn? {
        let attestation = try attestation ?? base.code(OwnIdentityFixture.number, at: time)
        let resolve = base.resolver(at: time)
        guard try await resolve(attestation).isRefused(.secondFactorRequired) else { return nil }
        return try await resolve.held(HeldSignInRequest(attestation: attestation))
    }

    /// Presents a recovery code of a user whose first factor is known.
    func check(_ recoveryCode: String, of user: User) async throws -> SecondFactorGuess.Result {
        try await SecondFactorCheck(act: act, seal: seal, notices: notices)(
            .recoveryCode(recoveryCode), ProvedSecondFactor(user: user.id, epoch: user.epoch),
            tags.tag("check", callID: UUIDText.random(), body: []), RequestOrigin(requestID: "r-1"))
    }

    func prove(
        _ token: String, code: String? = nil, recoveryCode: String? = nil, call: String = UUIDText.random()
    ) async throws -> ProveSecondFactorAnswer {
        try await prove(
            ProveSecondFactorRequest(mfaToken: token, code: code, recoveryCode: recoveryCode, callID: call),
            requestID: "r-1")
    }
}
