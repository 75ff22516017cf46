import CryptoPrimitives
import PrivateFiles

/// Seals what goes to a target: AES-256-GCM under a key that is derived from the operator's key file.
package struct CopySeal: Sendable {
    /// A key file contains at least so many bytes.
    package static let secretBytesMin = 32
    private static let use = "latchkey continuous copy 1"

    private let key: [UInt8]

    init(secret: [UInt8]) { key = HKDF.derive(from: secret, info: Self.use) }

    /// Reads a key file, which has one line of at least 32 bytes.
    package init(keyFile: String) throws(CopyFailure) {
        let secret: [UInt8]
        do throws(SecretText.Problem) { secret = Array(try SecretText(path: keyFile).line().utf8) } catch {
            throw CopyFailure(.wrongKey, "the key file \(keyFile) \(error)")
        }
        guard secret.count >= Self.secretBytesMin else {
            throw CopyFailure(.wrongKey, "the key file \(keyFile) has fewer than \(Self.secretBytesMin) bytes")
        }
        self.init(secret: secret)
    }

    func seal(_ bytes: [UInt8], as name: String) throws(CopyFailure) -> [UInt8] {
        guard let sealed = AESGCM.seal(bytes, key: key, context: Array(name.utf8)) else {
            throw CopyFailure(.damaged, "\(name) cannot be sealed")
        }
        return sealed
    }

    /// Opens the bytes of a file that was stored under a name.
    func open(_ sealed: [UInt8], as name: String) throws(CopyFailure) -> [UInt8] {
        guard let bytes = AESGCM.open(sealed, key: key, context: Array(name.utf8)) else {
            throw CopyFailure(.wrongKey, "\(name) was sealed with another key, or has been changed")
        }
        return bytes
    }
}
