@_exported import Foundation
@_exported import Observation
import Synchronization

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

/// One generic password, as the stand-in keeps it.
public struct KeychainItem: Sendable, Equatable {
    /// `kSecAttrService`; nil: the query named none.
    public let service: String?
    public let account: String
    public let data: Data
    /// `kSecAttrAccessible`; nil: the query named none.
    public let accessible: String?
}

/// A program's Keychain items: here in memory, gone with the process.
///
/// Apps get Foundation's types with Apple's `Security`, `URLSession` with Foundation, and `@Observable` with SwiftUI; this
/// module brings all along, so that the documents' files compile as they are printed.
public enum Keychain {
    private static let kept = Mutex<[KeychainItem]>([])

    public static var items: [KeychainItem] { kept.withLock { $0 } }

    static func add(_ item: KeychainItem) -> OSStatus {
        kept.withLock { items in
            guard !items.contains(where: { $0.account == item.account && $0.service == item.service }) else {
                return errSecDuplicateItem
            }
            items.append(item)
            return errSecSuccess
        }
    }

    /// Removes what fits; an attribute that the query does not name fits with any.
    static func delete(service: String?, account: String?, accessible: String?) -> OSStatus {
        kept.withLock { items in
            let before = items.count
            items.removeAll { item in
                (service == nil || item.service == service) && (account == nil || item.account == account)
                    && (accessible == nil || item.accessible == accessible)
            }
            return items.count < before ? errSecSuccess : errSecItemNotFound
        }
    }
}
