import AccessTokens
import Glibc
import Policies
import PrivateFiles
import ServiceKit
import TLSPairs

/// The folder that gateways share: the account's key, the certificate with its key, the challenges under way, and the failures.
///
/// Only its owner can use it. All its functions read or write files, so they must not run on an event loop.
struct ACMEFolder: Sendable {
    static let variable = "LATCHKEY_ACME_DIR"
    /// The name of the pair.
    static let pairName = "acme"
    private static let bytesMax = 64 * 1024

    let path: String

    private var keyFile: String { "\(path)/\(Self.pairName).key" }
    private var failuresFile: String { path + "/failures" }
    private var challengesFile: String { path + "/challenges" }

    /// Prepares the folder: creates it if there is none, and closes it to other users.
    ///
    /// - Returns: `nil` if the policy has no directory, or if `LATCHKEY_ACME_DIR` is not set outside of production, where the same
    ///   policy may go with certificates of another authority.
    init?(_ context: ProcessContext) throws(SettingsError) {
        let settings = context.settings
        guard context.policy.edge.tls.acme != nil else { return nil }
        guard let path = settings.variable(Self.variable) else {
            guard settings.environment == .production else { return nil }
            throw .missing(
                Self.variable, because: "the policy has edge.tls.acme", use: "a folder of the gateways alone")
        }
        self.path = path
        _ = unsafe mkdir(path, 0o700)
        try FileAccess.requireWritable(folder: path, setting: Self.variable)
        try FileAccess.requireOwn(path, setting: Self.variable, in: settings.environment)
        guard unsafe chmod(path, 0o700) == 0 else {
            throw SettingsError(
                Self.variable, "the folder \(path) belongs to another user. Run chown \(geteuid()) '\(path)'.")
        }
    }

    /// The lock under which one gateway orders. The kernel releases it with the process.
    final class Lock: Sendable {
        private let descriptor: Int32

        fileprivate init?(_ path: String) throws(FileFailure) {
            descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            let code = errno
            guard descriptor >= 0, code == EWOULDBLOCK else {
                throw FileFailure("cannot lock \(path): \(unsafe String(cString: strerror(code)))", code: code)
            }
            return nil
        }

        deinit { if descriptor >= 0 { close(descriptor) } }
    }

    /// Returns the lock, or `nil` while another gateway has it.
    func lock() throws(FileFailure) -> Lock? { try Lock(path + "/lock") }

    /// Returns the account's key, which is made at the first time.
    func accountKey() throws -> ACMEAccountKey {
        let file = path + "/account.pem"
        _ = try PrivateFile.writeIfAbsent(try NewTLSKey.pem(), to: file)
        return try ACMEAccountKey(pem: try PrivateFile.bytes(file, max: Self.bytesMax))
    }

    /// Returns the key of the certificates, which is made at the first time unless keys are pinned (security guide R-107).
    ///
    /// - Throws: `ACMEFailure.unpinned` if apps with these pins would refuse the key.
    func key(pins: [SPKIPin]) throws -> [UInt8] {
        if pins.isEmpty { _ = try PrivateFile.writeIfAbsent(try NewTLSKey.pem(), to: keyFile) }
        guard PrivateFile.exists(keyFile) else { throw ACMEFailure.unpinned(nil) }
        let key = try PrivateFile.bytes(keyFile, max: Self.bytesMax)
        let pin = try SPKIPin(ofKeyPEM: key)
        guard pins.isEmpty || pins.contains(pin) else { throw ACMEFailure.unpinned(pin) }
        return key
    }

    /// Stores a certificate of the folder's key.
    func install(_ certificate: [UInt8]) throws {
        try PrivateFile.write(certificate, to: "\(path)/\(Self.pairName).crt")
    }

    // MARK: Challenges

    func challenges() throws -> [HostChallenge] {
        guard PrivateFile.exists(challengesFile) else { return [] }
        let text = String(decoding: try PrivateFile.bytes(challengesFile, max: Self.bytesMax), as: UTF8.self)
        return text.split(separator: "\n").compactMap(HostChallenge.init(line:))
    }

    func write(_ challenges: [HostChallenge]) throws {
        guard !challenges.isEmpty else { return try PrivateFile.remove(challengesFile) }
        try PrivateFile.write(Array(challenges.map(\.line).joined().utf8), to: challengesFile)
    }

    // MARK: Failures

    /// Returns the failures since the last certificate. A file that is not ours counts as none.
    func failures() throws -> OrderFailures? {
        guard PrivateFile.exists(failuresFile) else { return nil }
        return OrderFailures(text: String(decoding: try PrivateFile.bytes(failuresFile, max: 64), as: UTF8.self))
    }

    func write(_ failures: OrderFailures?) throws {
        guard let failures else { return try PrivateFile.remove(failuresFile) }
        try PrivateFile.write(Array(failures.text.utf8), to: failuresFile)
    }
}
