public import Foundation

// The declarations of Apple's Security framework that the library uses, with Apple's names, signatures and values. What they
// do is in StubKeychain.swift.

public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
public let errSecInteractionNotAllowed: OSStatus = -25308
public let errSecDecode: OSStatus = -26275
public let errSecMissingEntitlement: OSStatus = -34018

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrAccessGroup: CFString = "agrp"
public let kSecAttrGeneric: CFString = "gena"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecUseDataProtectionKeychain: CFString = "nleg"
public let kSecValueData: CFString = "v_Data"
public let kSecReturnData: CFString = "r_Data"
public let kSecReturnAttributes: CFString = "r_Attributes"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitOne: CFString = "m_LimitOne"

@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    StubKeychain.perform(.add) { $0.add(attributes) }
}

@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    var found: StubItem?
    let status = StubKeychain.perform(.copy) { state in
        let (status, item) = state.copy(query)
        found = item
        return status
    }
    guard status == errSecSuccess, let found else { return status }
    let attributes: [String: Any] = [
        kSecAttrService: found.service, kSecAttrAccount: found.account, kSecAttrAccessGroup: found.group,
        kSecAttrAccessible: found.accessible, kSecAttrGeneric: found.generic as Any, kSecValueData: found.data,
    ].filter { $0.key != kSecAttrGeneric || found.generic != nil }
    unsafe result?.pointee = attributes as AnyObject
    return status
}

@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributes: CFDictionary) -> OSStatus {
    StubKeychain.perform(.update) { $0.update(query, attributes) }
}

@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    StubKeychain.perform(.delete) { $0.delete(query) }
}

extension FileManager {
    /// The container of an app group: a folder next to the stub Keychain, or none for a group without an entitlement.
    public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? {
        StubKeychain.groupContainers.map { $0.appending(path: group, directoryHint: .isDirectory) }
    }
}
