public import Foundation

/// One generic password of the stub Keychain.
public struct StubItem: Codable, Sendable, Equatable {
    public var service: String
    public var account: String
    public var group: String
    public var accessible: String
    public var generic: Data?
    public var data: Data
    /// Whether the item cannot be decrypted, as after the loss of its key.
    public var isDamaged = false

    public init(service: String, account: String, group: String, accessible: String, generic: Data?, data: Data) {
        (self.service, self.account, self.group) = (service, account, group)
        (self.accessible, self.generic, self.data) = (accessible, generic, data)
    }
}

/// A failure to inject.
public struct StubFault: Codable, Sendable, Equatable {
    public enum Operation: String, Codable, Sendable, CaseIterable { case copy, add, update, delete }

    public var operations: [Operation]
    public var status: OSStatus
    /// The number of calls that fail; `nil` for all of them.
    public var times: Int?
    /// Whether the operation is performed, and only its status is lost.
    public var isPerformed: Bool

    public init(
        _ status: OSStatus, on operations: [Operation] = Operation.allCases, times: Int? = nil,
        isPerformed: Bool = false
    ) {
        (self.status, self.operations, self.times, self.isPerformed) = (status, operations, times, isPerformed)
    }
}

/// A device's Keychain: its items, whether the device is locked, and what goes wrong.
public struct StubKeychainState: Codable, Sendable, Equatable {
    public enum Lock: String, Codable, Sendable { case unlocked, locked, beforeFirstUnlock }

    public var items: [StubItem] = []
    public var lock = Lock.unlocked
    /// The access groups of the app's entitlement. The first one is the default. Without any, every call is refused.
    public var groups = ["TEAM.app"]
    /// Whether an item that cannot be read yet seems not to be there, as is reported of prewarmed apps.
    public var hidesLockedItems = false
    public var faults: [StubFault] = []
    /// The number of sessions that were written.
    public var writes = 0

    public init() {}
}

extension StubKeychainState {
    mutating func add(_ attributes: CFDictionary) -> OSStatus {
        guard attributes[kSecClass] as? String == kSecClassGenericPassword, isOfDataProtection(attributes),
            let service = attributes[kSecAttrService] as? String, let account = attributes[kSecAttrAccount] as? String,
            let data = attributes[kSecValueData] as? Data
        else { return errSecParam }
        let group = attributes[kSecAttrAccessGroup] as? String ?? groups.first
        guard let group, groups.contains(group) else { return errSecMissingEntitlement }
        let item = StubItem(
            service: service, account: account, group: group,
            accessible: attributes[kSecAttrAccessible] as? String ?? "ak",
            generic: attributes[kSecAttrGeneric] as? Data,
            data: data)
        if isLocked(item) { return errSecInteractionNotAllowed }
        // Service, account and access group are an item's identity.
        if items.contains(where: { ($0.service, $0.account, $0.group) == (service, account, group) }) {
            return errSecDuplicateItem
        }
        items.append(item)
        count(item)
        return errSecSuccess
    }

    func copy(_ query: CFDictionary) -> (OSStatus, StubItem?) {
        guard isQuery(query), query[kSecReturnData] as? Bool == true, query[kSecReturnAttributes] as? Bool == true,
            query[kSecMatchLimit] as? String == kSecMatchLimitOne
        else { return (errSecParam, nil) }
        guard mayUse(query) else { return (errSecMissingEntitlement, nil) }
        guard let item = items.first(where: { fits($0, query) }) else { return (errSecItemNotFound, nil) }
        if isLocked(item) { return (errSecInteractionNotAllowed, nil) }
        return item.isDamaged ? (errSecDecode, nil) : (errSecSuccess, item)
    }

    mutating func update(_ query: CFDictionary, _ attributes: CFDictionary) -> OSStatus {
        let isOfSearch = [kSecReturnData, kSecReturnAttributes, kSecMatchLimit].contains { query[$0] != nil }
        guard isQuery(query), !isOfSearch, attributes[kSecClass] == nil else { return errSecParam }
        guard mayUse(query) else { return errSecMissingEntitlement }
        let places = items.indices.filter { fits(items[$0], query) }
        if places.isEmpty { return errSecItemNotFound }
        if places.contains(where: { isLocked(items[$0]) }) { return errSecInteractionNotAllowed }
        if places.contains(where: { items[$0].isDamaged }) { return errSecDecode }
        for place in places {
            if let data = attributes[kSecValueData] as? Data { items[place].data = data }
            if let generic = attributes[kSecAttrGeneric] as? Data { items[place].generic = generic }
            if let accessible = attributes[kSecAttrAccessible] as? String { items[place].accessible = accessible }
            count(items[place])
        }
        return errSecSuccess
    }

    /// Deletes items, which needs no key.
    mutating func delete(_ query: CFDictionary) -> OSStatus {
        guard isQuery(query), query[kSecMatchLimit] == nil else { return errSecParam }
        guard mayUse(query) else { return errSecMissingEntitlement }
        let rest = items.filter { !fits($0, query) }
        defer { items = rest }
        return rest.count < items.count ? errSecSuccess : errSecItemNotFound
    }

    /// Restores a backup on another device, which has no items that are for one device only.
    public mutating func restoreOnAnotherDevice() { items.removeAll { $0.accessible.hasSuffix("u") } }

    private mutating func count(_ item: StubItem) { if item.service == "latchkey.session" { writes += 1 } }

    private func isQuery(_ query: CFDictionary) -> Bool {
        query[kSecClass] as? String == kSecClassGenericPassword && isOfDataProtection(query)
            && query[kSecValueData] == nil
    }

    /// Without this key, macOS uses the Keychain of files, which knows no protection classes.
    private func isOfDataProtection(_ query: CFDictionary) -> Bool {
        query[kSecUseDataProtectionKeychain] as? Bool == true
    }

    private func mayUse(_ query: CFDictionary) -> Bool {
        guard let group = query[kSecAttrAccessGroup] as? String else { return !groups.isEmpty }
        return groups.contains(group)
    }

    private func fits(_ item: StubItem, _ query: CFDictionary) -> Bool {
        func isEqual<Value: Equatable>(_ key: CFString, _ value: Value?) -> Bool {
            query[key] == nil || query[key] as? Value == value
        }
        if hidesLockedItems && isLocked(item) { return false }
        return groups.contains(item.group) && isEqual(kSecAttrService, item.service)
            && isEqual(kSecAttrAccount, item.account) && isEqual(kSecAttrAccessGroup, item.group)
            && isEqual(kSecAttrGeneric, item.generic) && isEqual(kSecAttrAccessible, item.accessible)
    }

    private func isLocked(_ item: StubItem) -> Bool {
        switch lock {
        case .unlocked: false
        case .locked: item.accessible.hasPrefix("ak")
        case .beforeFirstUnlock: true
        }
    }
}
