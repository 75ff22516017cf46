import CryptoPrimitives
import InternalAPI
import Policies

/// Identifies the devices and networks of sign-ins by keyed hashes. The same device has different hashes for different users.
struct OriginTags: Sendable {
    private let key: HMACSHA256

    /// - Parameter ring: `user_storage_key`.
    init(ring: KeyRing) {
        key = HMACSHA256(key: HKDF.derive(from: ring.signing.secret, info: "latchkey user known origins"))
    }

    /// The device and the network of a sign-in. A client without a fingerprint is identified by the device's name, and without either
    /// there is only the network (/24, /48).
    ///
    /// - Parameter now: Unix time in seconds.
    func origins(of client: SignInOrigin, _ user: UserID, now: Int64) -> [KnownOrigin] {
        let device =
            client.fingerprint.map { "fingerprint \($0)" }
            ?? DeviceName.of(given: client.deviceName, userAgent: client.userAgent).map { "name \($0)" }
        let network = IPAddress(client.address).map { $0.knownScope.description }
        return [(KnownOrigin.Kind.device, device), (.network, network)].compactMap { kind, text in
            text.map { KnownOrigin(kind, tag: tag(kind, $0, user), seenAt: now) }
        }
    }

    /// The tag of refreshes of a session by another kind of device on a day.
    func refresh(of session: String, day: Int64, _ user: UserID) -> [UInt8] { tag(.anomaly, "\(day) \(session)", user) }

    private func tag(_ kind: KnownOrigin.Kind, _ text: String, _ user: UserID) -> [UInt8] {
        let code = key.authenticate(user.bytes + Array("\(kind.rawValue) \(text)".utf8))
        return Array(code.prefix(KnownOrigin.tagByteCount))
    }
}
