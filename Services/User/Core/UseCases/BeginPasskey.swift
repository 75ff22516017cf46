import CryptoPrimitives
import InternalAPI
import Policies
import WebAuthn

/// Makes the options of ceremonies. Nothing is stored.
struct BeginPasskey: Sendable {
    let rules: PasskeyRules
    let own: ChangeOwnIdentities

    private static let handleByteCount = 32

    private var now: Int64 { own.act.now() }

    /// Options without a session, which read no name.
    func callAsFunction(_ request: BeginPasskeyRequest) throws -> PasskeyOptionsAnswer {
        switch request.ceremony {
        case .signIn:
            let challenge = PasskeyChallenge(
                .signIn, requiresUserVerification: rules.requiresUserVerification, now: now)
            return PasskeyOptionsAnswer(try rules.options(challenge))
        case .signUp:
            guard rules.policy.signUp else { return PasskeyOptionsAnswer(nil) }
            let challenge = PasskeyChallenge(
                .signUp, kind: .passkey, handle: Self.newHandle(),
                requiresUserVerification: rules.requiresUserVerification, now: now)
            return PasskeyOptionsAnswer(try rules.options(challenge))
        }
    }

    /// Options for a registration by a user who has shown who they are a short time ago. All passkeys of a user have one handle.
    func register(
        _ request: BeginOwnPasskeyRequest, _ caller: ChangeOwnIdentities.Caller
    ) async throws -> OperationOutcome<PasskeyOptionsAnswer, IdentityChangeRefusal> {
        let (read, user): (UserFacts, User)
        switch try await own.admit(caller, nil) {
        case .admitted(let facts):
            guard let holder = facts.holder else { return .refused(.invalidToken) }
            (read, user) = (facts, holder)
        case .repeated: return .answer(PasskeyOptionsAnswer(nil))
        case .refused(let refusal): return .refused(refusal)
        }
        guard !user.isForReview, request.kind == .passkey || rules.policy.restoreKeys else {
            return .answer(PasskeyOptionsAnswer(nil))
        }
        let isRestore = request.kind == .restore
        let challenge = PasskeyChallenge(
            .register, owner: PasskeyChallenge.Owner(user: user.id, epoch: user.epoch), kind: request.kind,
            handle: read.passkeys.first.map { Base64URL.encode($0.record.userHandle) } ?? Self.newHandle(),
            requiresUserVerification: !isRestore && rules.requiresUserVerification, now: now)
        return .answer(
            PasskeyOptionsAnswer(
                try rules.options(
                    challenge, name: user.phone ?? user.email ?? "",
                    credentials: read.passkeys.filter { $0.kind == request.kind })))
    }

    /// Options for a step-up of a session, which always verifies the user.
    func stepUp(_ caller: SignedInUser) async throws -> OperationOutcome<PasskeyOptionsAnswer, BearerRefusal> {
        let read = try await own.act.facts(.identities(caller.id), nil)
        guard let user = read.holder, user.deletion == nil else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        return .answer(
            PasskeyOptionsAnswer(try options(.stepUp, of: user, read, sessionID: caller.sessionID)))
    }

    /// Options for an assertion by a user who is known, with the user's own passkeys; `nil` if they have none.
    ///
    /// - Parameters:
    ///   - read: the facts of the user's `identities`.
    ///   - sessionID: the session of a step-up.
    ///   - proofID: the proof of the first factor, for a second factor.
    func options(
        _ purpose: PasskeyChallenge.Purpose, of user: User, _ read: UserFacts, sessionID: String? = nil,
        proofID: String? = nil
    ) throws -> PasskeyOptions? {
        let usable = read.passkeys.filter { $0.kind == .passkey && $0.isValid(for: user, now) }
        guard !usable.isEmpty else { return nil }
        let owner = PasskeyChallenge.Owner(
            user: user.id, epoch: user.epoch, sessionID: sessionID, proofID: proofID)
        return try rules.options(
            PasskeyChallenge(purpose, owner: owner, requiresUserVerification: true, now: now), credentials: usable)
    }

    private static func newHandle() -> String { Base64URL.encode(SecureRandom.bytes(handleByteCount)) }
}
