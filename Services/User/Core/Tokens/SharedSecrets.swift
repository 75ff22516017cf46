import CryptoPrimitives
import Synchronization

/// The secrets of HS256, as last read from the file.
final class SharedSecrets: Sendable {
    private let state: Mutex<KeyRing?>

    /// - Parameter ring: the secrets, or `nil` if no profile signs with HS256.
    init(_ ring: KeyRing?) { state = Mutex(ring) }

    var ring: KeyRing? { state.withLock { $0 } }

    func replace(_ ring: KeyRing?) { state.withLock { $0 = ring } }
}
