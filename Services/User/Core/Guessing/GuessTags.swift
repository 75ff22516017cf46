import CryptoPrimitives
import Policies

/// Tags that represent accounts and networks in Redis. Only this service can compute them.
///
/// | key | contains | lives |
/// |---|---|---|
/// | `login:1:a:<account>` | guesses of unrecognised clients, known networks (`Lua/account.lua`) | while they count, at most 91 d |
/// | `login:1:n:<account>:<network>` | guesses from one network, or by the user's own tokens | window and wait |
/// | `login:1:c:<window>:<n>:<address>` | guesses of one client's IP address | to the end of its window |
/// | `login:1:m…:<window>:<n>:<mailbox, network or both>` | mails about accounts (`Lua/mail.lua`) | to the end of its window |
/// | `login:1:refusals`, `login:1:audit` | refused guesses of this minute; stream of audit records | until they are in the audit |
/// | `login:1:p:<user>` | refused proofs of a signed-in user, and their calls (`Lua/count_proof.lua`) | a day after the last one |
/// | `login:1:e:<user>` | exports of a user's data (`Lua/count_export.lua`) | a day after the last one |
/// | `login:1:d:<recipient>` | sealed metadata that came with a request for a code (`FirstMetadata`) | a day |
/// | `login:1:r:<request>` | a request for a mail that was admitted | 3 minutes |
struct GuessTags: Sendable {
    /// Refusals of this minute, by kind, until they are written to the audit.
    static let refusalsKey = "login:1:refusals"
    /// The stream of audit records about guesses, until they are moved into the database.
    static let auditKey = "login:1:audit"

    private static let byteCount = 12
    private static let shortByteCount = 4

    private let key: HMACSHA256

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) {
        key = HMACSHA256(key: HKDF.derive(from: ring.signing.secret, info: "latchkey user guesses"))
    }

    func accountKey(_ account: String) -> String { "login:1:a:\(hex("account", account))" }

    /// - Parameter network: the client's network, or `nil` for the user's own tokens.
    func ownKey(_ account: String, _ network: CIDR?) -> String {
        let scope = network.map { hex("network", $0.description) } ?? "bearer"
        return "login:1:n:\(hex("account", account)):\(scope)"
    }

    func windowKey(_ rule: String, _ limit: RateLimit, _ window: Int64, _ subject: String) -> String {
        "login:1:\(rule):\(limit.windowSeconds):\(window):\(hex("window", subject))"
    }

    /// The key of the proofs with which a signed-in user shows again who they are.
    func proofKey(_ user: UserID) -> String { "login:1:p:\(hex("user", Hex.encode(user.bytes)))" }

    /// The key of the exports of a user's data.
    func exportKey(_ user: UserID) -> String { "login:1:e:\(hex("export", Hex.encode(user.bytes)))" }

    /// The key of the metadata that came with a request for a code.
    func metadataKey(_ recipient: String) -> String { "login:1:d:\(hex("metadata", recipient))" }

    /// A tag that distinguishes the few counted calls of one user.
    ///
    /// - Parameter parts: everything that two calls share if one repeats the other.
    func proofCall(_ parts: [String]) -> [UInt8] {
        Array(tag("proof", parts.map { "\($0.utf8.count):\($0)" }.joined()).prefix(Self.shortByteCount))
    }

    /// The key of a request for a mail.
    ///
    /// - Parameter sameness: everything that two requests share if one repeats the other.
    func repeatKey(_ sameness: String) -> String { "login:1:r:\(hex("repeat", sameness))" }

    /// A name that distinguishes a network from others in the outbox; empty without a network.
    func networkName(_ network: CIDR?) -> String { network.map { hex("outbox network", $0.description) } ?? "" }

    /// A tag that distinguishes the few networks of one account.
    func network(_ network: CIDR?) -> [UInt8] {
        guard let network else { return [] }
        return Array(tag("network", network.description).prefix(Self.shortByteCount))
    }

    /// The subject of audit records about an email address without an account.
    func auditSubject(_ account: String) -> [UInt8] {
        Array(key.authenticate(Array("audit\n\(account)".utf8)).prefix(Pseudonym.byteCount))
    }

    private func hex(_ kind: String, _ text: String) -> String { Hex.encode(tag(kind, text)) }

    private func tag(_ kind: String, _ text: String) -> [UInt8] {
        Array(key.authenticate(Array("\(kind)\n\(text)".utf8)).prefix(Self.byteCount))
    }
}
