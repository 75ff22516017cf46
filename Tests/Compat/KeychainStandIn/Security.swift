// The calls of Apple's Security framework that the documents print, with its names and signatures. The keys and values
// are Apple's own texts.

public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecValueData: CFString = "v_Data"
public let kSecReturnData: CFString = "r_Data"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitOne: CFString = "m_LimitOne"

/// Adds a generic password; refuses a second one of the same service and account, as the Keychain does.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    guard attributes[kSecClass] as? String == kSecClassGenericPassword,
        let account = attributes[kSecAttrAccount] as? String, let data = attributes[kSecValueData] as? Data
    else { return errSecParam }
    return Keychain.add(
        KeychainItem(
            service: attributes[kSecAttrService] as? String, account: account, data: data,
            accessible: attributes[kSecAttrAccessible] as? String))
}

/// Finds the data of one generic password.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    guard query[kSecClass] as? String == kSecClassGenericPassword, query[kSecReturnData] as? Bool == true else {
        return errSecParam
    }
    let (service, account) = (query[kSecAttrService] as? String, query[kSecAttrAccount] as? String)
    guard let item = Keychain.items.first(where: { $0.account == account && $0.service == service }) else {
        return errSecItemNotFound
    }
    result?.pointee = item.data as AnyObject
    return errSecSuccess
}

/// Removes all generic passwords that the query fits.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    guard query[kSecClass] as? String == kSecClassGenericPassword else { return errSecParam }
    return Keychain.delete(
        service: query[kSecAttrService] as? String, account: query[kSecAttrAccount] as? String,
        accessible: query[kSecAttrAccessible] as? String)
}
