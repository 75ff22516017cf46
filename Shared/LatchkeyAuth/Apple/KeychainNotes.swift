#if canImport(Security)
import Foundation
import Security

/// Small texts that an app must keep for a while, in the Keychain: a code that was requested, a name from Apple.
///
/// They are readable while the device is unlocked, and a note that cannot be read is treated as absent: the user asks for another
/// code.
struct KeychainNotes: Sendable {
    private let keychain: Keychain

    init() {
        keychain = Keychain("note", group: nil, accessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String)
    }

    func read(_ name: String) -> Data? {
        guard case .found(let item) = keychain.read(name) else { return nil }
        return item.data
    }

    /// Writes a note over an earlier one.
    func write(_ data: Data, _ name: String) throws(StoreFailure) {
        var status = keychain.add(name, data, version: Data())
        if status == KeychainStatus.duplicate {
            status = keychain.update(name, from: KeychainItem(data: Data()), to: data, version: Data())
        }
        guard status == KeychainStatus.success else { throw StoreFailure(KeychainStatus.trouble(status)) }
    }

    func erase(_ name: String) { _ = keychain.delete(name) }
}

extension LatchkeyAuth {
    /// Keeps a requested code while the user reads the message, since the system may end the app meanwhile; `nil` erases it.
    public func keep(_ pending: PendingCode?) throws(StoreFailure) {
        let (notes, name) = (KeychainNotes(), "code.\(configuration.profile)")
        guard let pending else { return notes.erase(name) }
        // A pending code always encodes: it has texts only.
        guard let data = try? JSONEncoder().encode(pending) else { throw StoreFailure(.unwritable) }
        try notes.write(data, name)
    }

    /// The code that was kept; `nil` if there is none, or if it cannot be read now.
    public var keptCode: PendingCode? {
        KeychainNotes().read("code.\(configuration.profile)").flatMap {
            try? JSONDecoder().decode(PendingCode.self, from: $0)
        }
    }
}
#endif
