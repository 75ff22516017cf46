import AccessTokens
import InternalAPI
import PhoneNumbers
import Policies

/// Verifies the tokens of one service that proves phone numbers.
///
/// Firebase Phone Number Verification: header `typ` JWT and `alg` ES256, `iss` https://fpnv.googleapis.com/projects/NUMBER, `aud` a
/// list of the project's number and id in that form, `sub` the phone number
/// (https://firebase.google.com/docs/phone-number-verification/verify-tokens).
struct PhoneTokenRule: Sendable {
    /// The rules that identity tokens have as well.
    private let rule: IdentityTokenRule
    private let claim: String
    private let acceptsTestNumbers: Bool

    /// - Parameters:
    ///   - leewaySeconds: seconds that a token is accepted beyond `exp`.
    ///   - acceptsTestNumbers: whether the made-up numbers of Firebase's test mode sign in.
    init(_ policy: PhoneTokenPolicy, leewaySeconds: Int64, acceptsTestNumbers: Bool) {
        rule = IdentityTokenRule(
            provider: policy.token, leewaySeconds: leewaySeconds, readsAuthorizedParty: false)
        claim = policy.claim
        self.acceptsTestNumbers = acceptsTestNumbers
    }

    var name: String { rule.provider.name }
    var algorithm: String { rule.provider.algorithm }

    func isIssuer(_ issuer: String) -> Bool { rule.isIssuer(issuer) }

    func requireLength(ofNonce nonce: String?) throws(InvalidInput) { try rule.requireLength(ofNonce: nonce) }

    /// Verifies a token and returns its phone number in canonical form; see `IdentityTokenRule.verify`.
    func verify(
        _ token: IdentityToken, key: VerificationKey?, nonce: String?, now: Int64
    ) throws(IdentityTokenRejection) -> VerifiedPhone {
        let checked = try rule.check(token, key: key, nonce: nonce, now: now)
        guard token.type == "jwt" else { throw .wrongType }
        let phone = try phone(checked.claims)
        return VerifiedPhone(phone: phone, verified: checked.proving(.phone(phone.e164)))
    }

    /// Reads the number, which must be written in E.164: a plus and digits. It is for the service to write it clearly.
    private func phone(_ claims: ClaimReader) throws(IdentityTokenRejection) -> PhoneNumber {
        let text: String
        do throws(TokenRejection) { text = try claims.identifier(claim) } catch { throw IdentityTokenRejection(error) }
        guard text.utf8.first == UInt8(ascii: "+"), text.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .invalidClaim }
        let phone: PhoneNumber
        do throws(PhoneNumberProblem) { phone = try PhoneNumber(parsing: text) } catch { throw .invalidClaim }
        guard acceptsTestNumbers || !Self.isTestNumber(text, phone) else { throw .testNumber }
        return phone
    }

    /// Whether a number is one of the test mode: a calling code and zeros. All users of an app that was left in that mode have the
    /// same one (https://firebase.google.com/docs/phone-number-verification/android/get-started).
    private static func isTestNumber(_ text: String, _ phone: PhoneNumber) -> Bool {
        text.utf8.dropFirst(1 + "\(phone.callingCode)".utf8.count).allSatisfy { $0 == UInt8(ascii: "0") }
    }
}

/// A phone number that a token has verified.
struct VerifiedPhone: Sendable {
    let phone: PhoneNumber
    let verified: VerifiedIdentityToken
}

/// A service that proves phone numbers: its rule and its keys.
struct PhoneTokenProvider: Sendable {
    let rule: PhoneTokenRule
    let keys: ProviderKeys
}
