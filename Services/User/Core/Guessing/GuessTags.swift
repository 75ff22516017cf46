import CryptoPrimitives
import Policies

/// Stand-ins under which Redis knows accounts and networks; only this service can make them.
///
/// | key | holds | lives |
/// |---|---|---|
/// | `login:1:a:<account>` | guesses of strangers, known networks (`Lua/account.lua`) | as long as any of it counts, at most 91 days |
/// | `login:1:n:<account>:<network>` | guesses from one network, or by the user's own tokens | window and wait |
/// | `login:1:c:<window>:<n>:<address>` | guesses of one client address | to the end of its window |
/// | `login:1:m:<scope>:<window>:<n>:<mailbox or network>` | mails about accounts | to the end of its window |
struct GuessTags: Sendable {
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

    /// Tells the few networks of one account apart.
    func network(_ network: CIDR?) -> [UInt8] {
        guard let network else { return [] }
        return Array(tag("network", network.description).prefix(Self.networkByteCount))
    }

    private func hex(_ kind: String, _ text: String) -> String { Hex.encode(tag(kind, text)) }

    private func tag(_ kind: String, _ text: String) -> [UInt8] {
        Array(key.authenticate(Array("\(kind)\n\(text)".utf8)).prefix(Self.byteCount))
    }
}
