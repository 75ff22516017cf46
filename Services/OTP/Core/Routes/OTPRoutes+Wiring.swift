import CryptoPrimitives
import Delivery
import Logging
import ServiceKit

extension OTPRoutes {
    /// The rules of a dialect, and the store that counts by them.
    struct Terms {
        let rules: CodeRules
        let store: any ChallengeStore
    }

    /// Builds the use cases.
    ///
    /// - Parameters:
    ///   - dialects: those in which codes are asked for.
    ///   - store: for what no dialect has rules of its own.
    ///   - codeKeys: `otp_hmac_key`.
    ///   - attestationKeys: `attestation_otp_user`.
    ///   - hasRoom: whether the store has room for another challenge.
    ///   - now: Unix time in seconds.
    ///   - random: so many random bytes.
    init(
        dialects: [Terms], store: any ChallengeStore, codeKeys: KeyRing, attestationKeys: KeyRing,
        hasRoom: @escaping @Sendable () -> Bool, sender: any CodeSender, logger: Logger,
        now: @escaping @Sendable () -> Int64 = { UnixTime.seconds() },
        random: @escaping @Sendable (Int) -> [UInt8] = { SecureRandom.bytes($0) }
    ) {
        let secrets = CodeSecrets(keys: codeKeys)
        let codes = dialects.map { dialect in
            let terms = CallTerms(rules: dialect.rules, secrets: secrets)
            return (
                dialect.rules.dialect,
                DialectCodes(
                    request: RequestCode(
                        terms: terms, store: dialect.store, hasRoom: hasRoom, sender: sender, logger: logger,
                        now: now, random: random),
                    verify: VerifyCode(
                        terms: terms, store: dialect.store, attestationKeys: attestationKeys, now: now))
            )
        }
        self.codes = Dictionary(codes) { first, _ in first }
        forgetNetworks = ForgetNetworks(secrets: secrets, store: store, now: now)
    }
}
