import CryptoPrimitives
import EmailAddresses
import InternalAPI

/// The content of a link in a mail: address and challenge, sealed for the client that requested the mail.
///
/// The client keeps a secret, the verifier, and sends its SHA-256, the `challenge` of RFC 7636. That is part of the associated
/// data, so that the token opens only with the verifier. Another person who reads the mail, or a robot that follows its links,
/// cannot open it. Redis keeps nothing of it.
struct LinkToken: Sendable, Equatable {
    let address: EmailAddress
    let seed: ChallengeSeed

    /// The greatest length in a link's query, in BASE64URL.
    static let textLengthMax = 512

    private static let createdByteCount = 8

    /// - Parameters:
    ///   - challenge: BASE64URL(SHA-256(verifier)).
    ///   - place: the place of the challenge.
    /// - Returns: `nil` if libcrypto fails.
    func sealed(
        for challenge: VerifierChallenge, _ purpose: Purpose, place: String, by secrets: CodeSecrets
    ) -> String? {
        let bytes = BigEndian.bytes(UInt64(clamping: seed.created), count: Self.createdByteCount) + seed.salt
        return secrets.seal(
            link: bytes + Array(address.text.utf8), context: Self.context(challenge, purpose, place)
        ).map { Base64URL.encode($0) }
    }

    /// - Returns: `nil` for a token that is not ours, or was made for another client.
    init?(
        opening text: String, for challenge: VerifierChallenge, _ purpose: Purpose, place: String,
        by secrets: CodeSecrets
    ) {
        guard text.utf8.count <= Self.textLengthMax, let sealed = Base64URL.decode(text),
            let bytes = secrets.open(link: sealed, context: Self.context(challenge, purpose, place)),
            bytes.count > Self.createdByteCount + ChallengeSeed.saltByteCount
        else { return nil }
        let (created, rest) = (bytes.prefix(Self.createdByteCount), bytes.dropFirst(Self.createdByteCount))
        let text = String(decoding: rest.dropFirst(ChallengeSeed.saltByteCount), as: UTF8.self)
        do throws(EmailAddressProblem) { address = try EmailAddress(parsing: text) } catch { return nil }
        seed = ChallengeSeed(
            created: Int64(clamping: BigEndian.number(created)), salt: Array(rest.prefix(ChallengeSeed.saltByteCount)))
    }

    init(address: EmailAddress, seed: ChallengeSeed) {
        self.address = address
        self.seed = seed
    }

    private static func context(_ challenge: VerifierChallenge, _ purpose: Purpose, _ place: String) -> [UInt8] {
        Array("latchkey link\n\(purpose.rawValue)\n\(place)\n\(challenge.text)".utf8)
    }
}
