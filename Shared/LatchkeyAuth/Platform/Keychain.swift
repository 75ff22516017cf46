#if canImport(Security)
import Foundation
import Security

/// The generic passwords of one service in the data-protection Keychain.
struct Keychain: Sendable {
    /// The service; `nil` for items of an earlier release that named none.
    let service: String?
    /// The access group; `nil` for the app's first one.
    let group: String?
    let accessible: String

    /// The library's own items of one kind.
    init(_ kind: String, group: String?, accessible: String) {
        let service = KeychainService.name(kind, group: group, bundle: Bundle.main.bundleIdentifier)
        self.init(service: service, group: group, accessible: accessible)
    }

    init(service: String?, group: String?, accessible: String) {
        self.service = service
        self.group = group
        self.accessible = accessible
    }

    /// Reads an item.
    func read(_ account: String) -> KeychainReading {
        var query = query(account)
        query[kSecReturnData as String] = true
        query[kSecReturnAttributes as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        switch status {
        case KeychainStatus.success: break
        case KeychainStatus.notFound: return .absent
        case KeychainStatus.undecodable: return .damaged
        default: return .failed(KeychainStatus.trouble(status))
        }
        guard let members = result as? [String: Any], let data = members[kSecValueData as String] as? Data else {
            return .damaged
        }
        return .found(
            KeychainItem(
                data: data, version: members[kSecAttrGeneric as String] as? Data,
                group: members[kSecAttrAccessGroup as String] as? String))
    }

    /// Adds an item, unless there is one.
    func add(_ account: String, _ data: Data, version: Data) -> Int32 {
        var attributes = query(account)
        attributes.merge(values(data, version)) { _, new in new }
        return SecItemAdd(attributes as CFDictionary, nil)
    }

    /// Writes over an item in one step, if its version is still the one that was read.
    func update(_ account: String, from old: KeychainItem, to data: Data, version: Data) -> Int32 {
        var query = query(account)
        query[kSecAttrGeneric as String] = old.version
        if let group = old.group { query[kSecAttrAccessGroup as String] = group }
        return SecItemUpdate(query as CFDictionary, values(data, version) as CFDictionary)
    }

    /// Deletes an item, or all items of the service.
    func delete(_ account: String? = nil, in group: String? = nil) -> Int32 {
        var query = query(account)
        if let group { query[kSecAttrAccessGroup as String] = group }
        return SecItemDelete(query as CFDictionary)
    }

    private func query(_ account: String?) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecUseDataProtectionKeychain as String: true,
        ]
        query[kSecAttrService as String] = service
        query[kSecAttrAccount as String] = account
        query[kSecAttrAccessGroup as String] = group
        return query
    }

    private func values(_ data: Data, _ version: Data) -> [String: Any] {
        [
            kSecValueData as String: data, kSecAttrGeneric as String: version,
            kSecAttrAccessible as String: accessible,
        ]
    }
}
#endif
