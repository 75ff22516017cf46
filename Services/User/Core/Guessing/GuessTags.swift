import CryptoPrimitives
import Policies

/// Stand-ins under which Redis knows accounts and networks; only this service can make them.
///
/// | key | holds | lives |
/// |---|---|---|
/// | `login:1:a:<account>` | guesses of strangers, known networks (`Lua/account.lua`) | as long as any of it counts, at most 91 days |
/// | `login:1:n:<account>:<network>` | guesses from one network, or by the user's own tokens | window and wait |
/// | `login:1:c:<window>:<n>:<address>` | guesses of one client address | to the end of its window |
/// | `login:1:m…:<window>:<n>:<mailbox, network or both>` | mails about accounts (`Lua/mail.lua`) | to the end of its window |
/// | `login:1:refusals`, `login:1:audit` | refused guesses of this minute; stream of audit records | until they are in the audit |
/// | `login:1:r:<request>` | a request for a mail that was admitted | 3 minutes |
struct GuessTags: Sendable {
    /// Refusals of this minute, by kind, until they are written to the audit.
    static let refusalsKey = "login:1:refusals"
    /// The stream of audit records about guesses, until they are moved into the database.
    static let auditKey = "login:1:audit"

    private static let byteCount = 12
    private static let networkByteCount = 4

    private let key: HMACSHA256

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) {
        key = HMACSHA256(key: HKDF.derive(from: ring.signing.secret, info: "latchkey user guesses"))
    }

    func accountKey(_ account: String) -> String { "login:1:a:\(hex("account", account))" }

    /// - Parameter network: nil for the user's own tokens.
    func ownKey(_ account: String, _ network: CIDR?) -> String {
        let scope = network.map { hex("network", $0.description) } ?? "bearer"
        return "login:1:n:\(hex("account", account)):\(scope)"
    }

    func windowKey(_ rule: String, _ limit: RateLimit, _ window: Int64, _ subject: String) -> String {
        "login:1:\(rule):\(limit.windowSeconds):\(window):\(hex("window", subject))"
    }

    /// The key of a request for a mail, by all that makes another one the same.
    func repeatKey(_ sameness: String) -> String { "login:1:r:\(hex("repeat", sameness))" }

    /// A network's name in the outbox, which tells networks apart; empty without one.
    func networkName(_ network: CIDR?) -> String { network.map { hex("outbox network", $0.description) } ?? "" }

    /// Tells the few networks of one account apart.
    func network(_ network: CIDR?) -> [UInt8] {
        guard let network else { return [] }
        return Array(tag("network", network.description).prefix(Self.networkByteCount))
    }

    /// Stands for an address without an account in the audit.
    func auditSubject(_ account: String) -> [UInt8] {
        Array(key.authenticate(Array("audit\n\(account)".utf8)).prefix(Pseudonym.byteCount))
    }

    private func hex(_ kind: String, _ text: String) -> String { Hex.encode(tag(kind, text)) }

    private func tag(_ kind: String, _ text: String) -> [UInt8] {
        Array(key.authenticate(Array("\(kind)\n\(text)".utf8)).prefix(Self.byteCount))
    }
}
