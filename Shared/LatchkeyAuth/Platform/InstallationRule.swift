import Foundation

/// An item of the Keychain.
struct KeychainItem: Sendable, Equatable {
    let data: Data
    /// The version under which the item was written (`kSecAttrGeneric`). An update names it.
    var version: Data?
    /// The access group in which the item lies.
    var group: String?
}

/// The result of reading a place in the Keychain.
enum KeychainReading: Sendable, Equatable {
    case found(KeychainItem)
    /// The Keychain says that there is none. Before the first unlock of a device that can be wrong.
    case absent
    /// An item is there and cannot be decrypted.
    case damaged
    case failed(StoreTrouble)
}

/// The file that says whether this installation of the app has used the store before.
enum InstallationMarker: Sendable, Equatable {
    case present
    case absent
    /// This process cannot read the file, or it cannot see the folder.
    case hidden
}

/// Tells apart an empty store, one that cannot be read yet, one that was lost, and one of an earlier installation.
///
/// The Keychain outlives the app, and before the first unlock it may answer "not found" for an item that is there. Two things
/// stand beside the session: a canary item of the same protection class, and a marker file that is removed with the app.
enum InstallationRule {
    enum Finding: Sendable, Equatable {
        case item(KeychainItem)
        /// No user has ever signed in here.
        case nobody
        /// The store can be read, and what this installation had written is not in it or cannot be decrypted.
        case lost
        case failed(StoreTrouble)
        /// The items are those of an earlier installation, and are to be erased.
        case newInstallation
        /// The first start: the canary and the marker are to be written. Writing the canary shows that the Keychain answers.
        case firstStart
    }

    /// Judges what was read.
    ///
    /// - Parameters:
    ///   - session: reads the session. It is read a second time before its absence is believed, after the canary was found.
    ///   - canary: reads the canary.
    ///   - isUnlocked: whether files of the same protection class could be read *before* the session was.
    ///   - isExtension: whether the process is an extension, which begins nothing and erases nothing.
    static func judge(
        session: () -> KeychainReading, canary: () -> KeychainReading, marker: InstallationMarker, isUnlocked: Bool,
        isExtension: Bool
    ) -> Finding {
        let isNew = marker == .absent && !isExtension
        let first = session()
        switch first {
        case .failed(let trouble): return .failed(trouble)
        case .found(let item): return isNew ? .newInstallation : .item(item)
        case .absent, .damaged: break
        }
        switch canary() {
        case .failed(let trouble): return .failed(trouble)
        case .damaged: return .failed(.unreadable)
        case .found: return isNew ? .newInstallation : again(session())
        case .absent: break
        }
        // An extension does not know whether the app was ever started.
        if isExtension { return .failed(.protectedData) }
        if marker == .present { return isUnlocked ? .lost : .failed(.protectedData) }
        return first == .absent ? .firstStart : .failed(.unreadable)
    }

    /// The canary was found, so the Keychain can be read: what it says about the session now is true.
    private static func again(_ session: KeychainReading) -> Finding {
        switch session {
        case .found(let item): .item(item)
        case .absent: .nobody
        case .damaged: .lost
        case .failed(let trouble): .failed(trouble)
        }
    }
}
