internal import CryptoPrimitives
internal import Delivery
internal import Logging
internal import ServiceKit

extension OTPRoutes {
    /// Builds the use cases.
    ///
    /// - Parameters:
    ///   - codeKeys: `otp_hmac_key`.
    ///   - attestationKeys: `attestation_otp_user`.
    ///   - hasRoom: whether the store has room for another challenge.
    ///   - clock: Unix time in seconds.
    ///   - random: so many random bytes.
    init(
        rules: CodeRules, codeKeys: KeyRing, attestationKeys: KeyRing, store: any ChallengeStore,
        hasRoom: @escaping @Sendable () -> Bool, sender: any CodeSender, logger: Logger,
        clock: @escaping @Sendable () -> Int64 = { UnixTime.seconds() },
        random: @escaping @Sendable (Int) -> [UInt8] = { SecureRandom.bytes($0) }
    ) {
        let terms = CallTerms(rules: rules, secrets: CodeSecrets(keys: codeKeys))
        requestCode = RequestCode(
            terms: terms, store: store, hasRoom: hasRoom, sender: sender, logger: logger, clock: clock, random: random)
        verifyCode = VerifyCode(terms: terms, store: store, attestationKeys: attestationKeys, clock: clock)
        forgetNetworks = ForgetNetworks(terms: terms, store: store, clock: clock)
    }
}
