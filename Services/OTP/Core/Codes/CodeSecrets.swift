import CryptoPrimitives
import InternalAPI

/// What is derived from `otp_hmac_key`: codes, and the stand-ins under which Redis knows numbers, addresses and codes.
///
/// Redis never holds a code, a number or the key, so neither a dump of it nor write access to it yields a code
/// (security guide R-55). Each use has a key of its own. A new signing key begins with empty counters and without
/// challenges: the old stand-ins are not found any more.
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

    /// The code of a challenge: `digitCount` decimal digits, each code equally likely (R-50).
    ///
    /// HMAC-SHA256 over challenge id and recipient gives four numbers of 64 bits; the first that is not in the incomplete
    /// last run of codes is taken, so that no code is favoured. Beyond all of them (once in 10^40) it begins anew.
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

    /// The code of the challenge that `seed` stands for.
    func code(of seed: ChallengeSeed, recipient: String, place: String, digitCount: Int) -> String {
        code(
            challengeID: challengeID(seed, recipient: recipient, place: place), recipient: recipient,
            digitCount: digitCount)
    }

    /// The code of a number under review access.
    func code(of review: ReviewSeed, recipient: String, digitCount: Int) -> String {
        code(
            challengeID: "review \(review.endsAt) \(Hex.encode(review.salt))", recipient: recipient,
            digitCount: digitCount)
    }

    /// A challenge's id: 128 bits as hex.
    ///
    /// Derived, so that the store keeps a few bytes of it; distinct as long as no number gets two challenges of one
    /// second with the same salt.
    func challengeID(_ seed: ChallengeSeed, recipient: String, place: String) -> String {
        let text = "\(place)\n\(recipient)\n\(seed.created)\n\(Hex.encode(seed.salt))"
        return Hex.encode(challengeKey.authenticate(Array(text.utf8)).prefix(16))
    }

    /// The id of what attests that the challenge was met: its second in 8 hex digits, then its id.
    ///
    /// The time comes first because what user-service keeps of attestations, and token-service of grants, is ordered by
    /// it: rows that are written together lie together.
    func attestationID(_ seed: ChallengeSeed, recipient: String, place: String) -> String {
        Hex.encode(BigEndian.bytes(UInt64(clamping: seed.created), count: 4))
            + challengeID(seed, recipient: recipient, place: place)
    }

    /// Stands for a number or an e-mail address; no text is both.
    func tag(_ recipient: Recipient) -> RecipientTag {
        let kind = recipient.identity.kind.rawValue
        return RecipientTag(bytes: tag("\(kind)\n\(recipient.counterKey)", byteCount: RecipientTag.byteCount))
    }

    /// Stands for a mailbox, whose sends are counted together.
    func tag(mailbox: String) -> [UInt8] { tag("mailbox\n\(mailbox)", byteCount: 16) }

    /// Stands for an address that limits count.
    func tag(address: String) -> [UInt8] { tag("address\n\(address)", byteCount: 16) }

    /// Stands for the beginning of a number.
    func tag(prefix: String) -> [UInt8] { tag("prefix\n\(prefix)", byteCount: 16) }

    /// Stands for an address block; short, since it only tells the few blocks of one number from all others.
    func tag(block: String) -> [UInt8] { tag("block\n\(block)", byteCount: 4) }

    /// Stands for a call and what it asks for; short, since it only tells the few latest calls of one number apart. A
    /// guess taken for another's repeat is not compared, except with the code that was right for that one.
    func tag(call: [String]) -> [UInt8] { tag("call\n\(call.joined(separator: "\n"))", byteCount: 3) }

    /// Stands for a code in Redis, where it is compared: bound to recipient and place.
    ///
    /// Comparing such stand-ins tells by its timing nothing of the code: who does not know the key cannot choose them.
    /// Of 40 bits: a wrong code of six digits that passes for the right one is a million times rarer than a right guess.
    func proof(code: String, recipient: String, place: String) -> [UInt8] {
        Array(proofKey.authenticate(Array("\(place)\n\(recipient)\n\(code)".utf8)).prefix(5))
    }

    /// Seals what a link is for; it opens with the same `context` alone.
    ///
    /// - Returns: nil when libcrypto fails.
    func seal(link bytes: [UInt8], context: [UInt8]) -> [UInt8]? { AESGCM.seal(bytes, key: linkKey, context: context) }

    /// - Returns: nil for what this service has not sealed in that context.
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
