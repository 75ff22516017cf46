import CryptoPrimitives
import EmailAddresses
import InternalAPI

/// The code beside a mailed link, for a person who reads the mail on another device. It is stored like a link's token, as a tag that
/// only this service computes, so that the code of one email address or purpose is unknown for every other.
struct LinkCode: Sendable, Equatable {
    static let length = 6
    private static let bound: UInt64 = 1_000_000

    let digits: String

    static func random() -> LinkCode {
        let number = SecureRandom.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % bound
        let digits = "\(number)"
        return LinkCode(digits: String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits)
    }

    private init(digits: String) { self.digits = digits }

    /// Reads a typed code, or returns `nil` if the text cannot be one.
    init?(_ typed: String) {
        guard typed.utf8.count == Self.length, typed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        digits = typed
    }

    /// Returns the `hash` of the code's row among the links.
    ///
    /// - Parameter address: the email address, in its canonical form.
    func hash(_ purpose: AccountLink.Purpose, at address: String, _ tags: CallTags) -> [UInt8] {
        SHA256.hash(tags.tag("link code", callID: "", body: [purpose.nameOfCodes, address, digits]).bytes)
    }
}

extension AccountLink.Purpose {
    /// The name of the purpose for codes, for which both links of a registration are one.
    fileprivate var nameOfCodes: String { self == .confirmByLink ? Self.confirm.rawValue : rawValue }
}

extension AccountParts {
    /// The proof that the caller of an operation on a link presents.
    enum Presented {
        case link(hash: [UInt8])
        case refused(AccountAnswer)
    }

    /// Finds the row of a link, or of the code beside it. A code is counted for the client and for its email address before it is compared,
    /// whether or not the address has one; a link that was requested with a challenge is found only with its verifier.
    ///
    /// - Throws: `GuessLimitsFailure`, `StorageError`; nothing is compared after the first.
    func presented(_ request: AccountLinkRequest, for purpose: AccountLink.Purpose) async throws -> Presented {
        guard let typed = request.code else {
            let challenge = request.verifier.flatMap { VerifierChallenge(ofVerifier: $0) }
            guard let secret = LinkSecret(request.token), (request.verifier == nil) == (challenge == nil) else {
                return .refused(AccountAnswer(.invalidLink))
            }
            return .link(hash: secret.hash(for: challenge?.text))
        }
        guard let address = address(request.email ?? "")?.text, let code = LinkCode(typed),
            let owner = UserID(
                bytes: tags.tag("code guesses", callID: "", body: [purpose.nameOfCodes, address]).bytes)
        else { return .refused(AccountAnswer(.invalidLink)) }
        // Clients share one limit for codes and passwords, so that no one tries the codes of many addresses.
        let guess = guess(at: Hex.encode(owner.bytes), from: request.address)
        if case .limited(let seconds) = try await limits.admit(guess) {
            return .refused(AccountAnswer(.rateLimited, limit: .lockout, retryAfterSeconds: seconds))
        }
        let lock = ProofLock(redis: limits.redis, tags: limits.tags, hasRoom: limits.hasRoom)
        let call = [purpose.nameOfCodes, request.callID, typed]
        if case .limited(let seconds) = try await lock.admit(owner, call: call, now: act.now()) {
            return .refused(AccountAnswer(.rateLimited, limit: .lockout, retryAfterSeconds: seconds))
        }
        let hash = code.hash(purpose, at: address, tags)
        // The repeat of a call whose code is used is answered by its tag, and a wrong code stays counted.
        if try await act.facts(.link(hash: hash), nil).link != nil {
            try await lock.forgetAll(of: owner)
            try await limits.giveBack(guess, knowsNetwork: false)
        }
        return .link(hash: hash)
    }

    /// Creates the proof that a person has verified an email address by a link or its code.
    ///
    /// - Parameters:
    ///   - call: the tag of the call, whose repeat gets the same proof.
    ///   - challengedAt: when the mail was requested; a later password makes the proof invalid. `nil` with `password`.
    func proof(
        _ call: CallTag, of address: String, method: String, challengedAt: Int64? = nil,
        password: VerifiedPassword? = nil, now: Int64
    ) throws -> String {
        let time = Hex.encode(BigEndian.bytes(UInt64(clamping: now), count: 4))
        let name = SHA256.hash(Array("latchkey:link-proof:".utf8) + call.bytes)
        let proof = SignInProof(
            id: time + Hex.encode(name.prefix(16)), expiresAt: now + OwnProof.lifetimeSeconds,
            identity: .email(address),
            password: password, challengedAt: challengedAt)
        return try OwnProof(proof, method: method, now: now).sealed(with: proofKeys)
    }
}
