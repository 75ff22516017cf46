import CryptoPrimitives
import InternalAPI

/// The values derived from `otp_hmac_key`: codes, and the tags that represent phone numbers, addresses and codes in Redis.
///
/// Redis never contains a code, a phone number or the key, so neither a dump of it nor write access to it yields a code (security
/// guide R-55). Each use has a key of its own. A new signing key starts with empty counters and without challenges, because the old
/// tags are no longer found.
struct CodeSecrets: Sendable {
    private let codeKey: HMACSHA256
    private let tagKey: HMACSHA256
    private let proofKey: HMACSHA256
    private let challengeKey: HMACSHA256
    private let linkKey: [UInt8]

    init(keys: KeyRing) {
        func key(_ use: String) -> HMACSHA256 {
            HMACSHA256(key: HKDF.derive(from: keys.signing.secret, info: "latchkey otp \(use)"))
        }
        (codeKey, tagKey, proofKey, challengeKey) = (key("code"), key("tag"), key("proof"), key("challenge"))
        linkKey = HKDF.derive(from: keys.signing.secret, info: "latchkey otp link")
    }

    /// Returns the code of a challenge: `digitCount` decimal digits, each code equally likely (R-50).
    ///
    /// HMAC-SHA256 over challenge id and recipient gives four numbers of 64 bits. The first one that is not in the incomplete last
    /// run of codes is used, so that no code is favoured. If none is usable (once in 10^40), it starts again.
    func code(challengeID: String, recipient: String, digitCount: Int) -> String {
        let bound = (0..<min(max(digitCount, 1), 18)).reduce(UInt64(1)) { power, _ in power * 10 }
        let unbiasedEnd = UInt64.max - UInt64.max % bound
        for round in UInt8.min...UInt8.max {
            let code = codeKey.authenticate(Array("\(challengeID)\n\(recipient)\n\(round)".utf8))
            for start in stride(from: 0, to: code.count, by: 8) {
                let word = BigEndian.number(code[start..<start + 8])
                if word < unbiasedEnd { return Self.digits(word % bound, count: digitCount) }
            }
        }
        return Self.digits(0, count: digitCount)
    }

    /// Returns the code of the challenge that `seed` represents.
    func code(of seed: ChallengeSeed, recipient: String, place: String, digitCount: Int) -> String {
        code(
            challengeID: challengeID(seed, recipient: recipient, place: place), recipient: recipient,
            digitCount: digitCount)
    }

    /// Returns the code of a phone number under review access.
    func code(of review: ReviewSeed, recipient: String, digitCount: Int) -> String {
        code(
            challengeID: "review \(review.endsAt) \(Hex.encode(review.salt))", recipient: recipient,
            digitCount: digitCount)
    }

    /// Returns a challenge's id: 128 bits as hex.
    ///
    /// It is derived, so that the store keeps only a few bytes of it. It is distinct as long as no phone number gets two challenges
    /// of one second with the same salt.
    func challengeID(_ seed: ChallengeSeed, recipient: String, place: String) -> String {
        let text = "\(place)\n\(recipient)\n\(seed.created)\n\(Hex.encode(seed.salt))"
        return Hex.encode(challengeKey.authenticate(Array(text.utf8)).prefix(16))
    }

    /// Returns the id of the attestation of a challenge: its second in 8 hex digits, then its id.
    ///
    /// The time comes first, because user-service's records of attestations and token-service's records of grants are ordered by
    /// the id. Rows that are written at the same time are then adjacent.
    func attestationID(_ seed: ChallengeSeed, recipient: String, place: String) -> String {
        Hex.encode(BigEndian.bytes(UInt64(clamping: seed.created), count: 4))
            + challengeID(seed, recipient: recipient, place: place)
    }

    /// Returns the tag of a phone number or an email address; no text is both.
    func tag(_ recipient: Recipient) -> RecipientTag {
        let kind = recipient.identity.kind.rawValue
        return RecipientTag(bytes: tag("\(kind)\n\(recipient.counterKey)", byteCount: RecipientTag.byteCount))
    }

    /// Returns the tag of a mailbox, whose sends are counted together.
    func tag(mailbox: String) -> [UInt8] { tag("mailbox\n\(mailbox)", byteCount: 16) }

    /// Returns the tag of an IP address that limits count.
    func tag(address: String) -> [UInt8] { tag("address\n\(address)", byteCount: 16) }

    /// Returns the tag of a phone number's prefix.
    func tag(prefix: String) -> [UInt8] { tag("prefix\n\(prefix)", byteCount: 16) }

    /// Returns the tag of an address block. It is short, since it only distinguishes the few blocks of one phone number.
    func tag(block: String) -> [UInt8] { tag("block\n\(block)", byteCount: 4) }

    /// Returns the tag of the user of a bound code. It is short, since it only distinguishes the few users who requested a
    /// code for one phone number. The code itself is bound to the whole id.
    func tag(owner userID: String) -> [UInt8] { tag("owner\n\(userID)", byteCount: 4) }

    /// Returns the tag of a call and its content. It is short, since it only distinguishes the few latest calls of one phone
    /// number. A guess that is taken for the repeat of another is not compared, except with the code that was right for that one.
    func tag(call: [String]) -> [UInt8] { tag("call\n\(call.joined(separator: "\n"))", byteCount: 3) }

    /// Returns the proof by which Redis compares a code: it is bound to recipient and place.
    ///
    /// The timing of the comparison reveals nothing about the code, because the proofs cannot be chosen without the key. A proof
    /// has 40 bits: a wrong code of six digits that passes for the right one is a million times rarer than a right guess.
    func proof(code: String, recipient: String, place: String) -> [UInt8] {
        Array(proofKey.authenticate(Array("\(place)\n\(recipient)\n\(code)".utf8)).prefix(5))
    }

    /// Seals the content of a link, which opens only with the same `context`.
    ///
    /// - Returns: `nil` if libcrypto fails.
    func seal(link bytes: [UInt8], context: [UInt8]) -> [UInt8]? { AESGCM.seal(bytes, key: linkKey, context: context) }

    /// - Returns: `nil` unless this service sealed it in that context.
    func open(link sealed: [UInt8], context: [UInt8]) -> [UInt8]? {
        AESGCM.open(sealed, key: linkKey, context: context)
    }

    private func tag(_ text: String, byteCount: Int) -> [UInt8] {
        Array(tagKey.authenticate(Array(text.utf8)).prefix(byteCount))
    }

    private static func digits(_ number: UInt64, count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
