#if canImport(Security)
public import Foundation
import Security

/// A session in the Keychain of this device: in no backup, and not on another device.
///
/// Processes that share the item write over it in one step: an update names the version that was read, so it fails if another
/// process was faster, and is then judged again. No lock is needed, and no item is deleted to be written anew.
public struct KeychainStore: SessionStore {
    /// The time at which the item can be read.
    public enum Accessibility: Sendable {
        /// From the first unlock after a start of the device, so that the app can renew tokens in the background.
        case afterFirstUnlock
        /// While the device is unlocked.
        case whenUnlocked
    }

    private let profile: String
    private let sessions: Keychain
    /// The sessions of a release that named no access group; `nil` if this one names none either.
    private let earlier: Keychain?
    private let canary: Keychain
    private let canaryName: String
    private let files: InstallationFiles
    private let isExtension: Bool
    private static let attemptsMax = 64

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - profile: the name of the user's session.
    ///   - accessGroup: a Keychain access group that the app shares with its extensions, such as `TEAMID.com.example.shared`.
    ///     An item of an earlier release without a group is moved there.
    ///   - appGroup: an app group of the same processes. It is needed if several apps share the access group: its container
    ///     then holds the file that tells a new installation.
    ///   - accessibility: the time at which the item can be read.
    public init(
        profile: String = "default", accessGroup: String? = nil, appGroup: String? = nil,
        accessibility: Accessibility = .afterFirstUnlock
    ) {
        let isExtension = Bundle.main.bundleURL.pathExtension == "appex"
        self.init(
            profile: profile, accessGroup: accessGroup, accessibility: accessibility,
            folders: Self.folders(appGroup, isExtension: isExtension), isExtension: isExtension)
    }

    init(
        profile: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlock, folders: [URL],
        isExtension: Bool
    ) {
        let accessible = accessibility.attribute
        self.profile = profile
        sessions = Keychain("session", group: accessGroup, accessible: accessible)
        earlier = accessGroup.map { _ in Keychain("session", group: nil, accessible: accessible) }
        canary = Keychain("canary", group: accessGroup, accessible: accessible)
        canaryName = "canary.\(accessible)"
        files = InstallationFiles(folders: folders, protection: accessibility.ofFiles)
        self.isExtension = isExtension
    }

    /// The folders for the marker. An extension has a container of its own, which says nothing about the app.
    private static func folders(_ appGroup: String?, isExtension: Bool) -> [URL] {
        let manager = FileManager.default
        let own = isExtension ? nil : manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        let shared = appGroup.flatMap { manager.containerURL(forSecurityApplicationGroupIdentifier: $0) }
        return [shared, own].compactMap { $0?.appending(path: "latchkey", directoryHint: .isDirectory) }
    }

    public func load() throws(StoreFailure) -> Data? {
        switch try content() {
        case .item(let item): item.data
        case .nothing: nil
        case .lost: Data()
        }
    }

    public func keepNewer(_ data: Data, version: StoreVersion) throws(StoreFailure) -> Data? {
        for _ in 0..<Self.attemptsMax {
            let content = try content()
            if case .item(let item) = content, let stored = StoreVersion(of: item.data), stored >= version {
                return item.data
            }
            // Without the marker, the next start would take the session for one of an earlier installation.
            if !isExtension, files.state != .present { try files.mark() }
            switch write(data, over: content, Data("\(version.epoch).\(version.generation)".utf8)) {
            case KeychainStatus.success: return nil
            case KeychainStatus.duplicate, KeychainStatus.notFound: continue
            case let status: throw StoreFailure(KeychainStatus.trouble(status))
            }
        }
        throw StoreFailure(.unwritable)
    }

    // MARK: - Reading

    private enum Content {
        case item(KeychainItem)
        case nothing
        case lost
    }

    private func content() throws(StoreFailure) -> Content {
        // Before the session is read: a device that is unlocked in between says nothing about that reading.
        let isUnlocked = files.isUnlocked
        let finding = InstallationRule.judge(
            session: readSession, canary: { canary.read(canaryName) }, marker: files.state, isUnlocked: isUnlocked,
            isExtension: isExtension)
        switch finding {
        case .item(let item): return .item(item)
        case .nobody: return .nothing
        case .lost: return .lost
        case .failed(let trouble): throw StoreFailure(trouble)
        case .newInstallation: return try erase()
        case .firstStart:
            try begin()
            return .nothing
        }
    }

    private func readSession() -> KeychainReading {
        let reading = sessions.read(profile)
        guard reading == .absent, let earlier else { return reading }
        return earlier.read(profile)
    }

    /// Writes the canary, then the marker.
    private func begin() throws(StoreFailure) {
        switch canary.add(canaryName, Data("latchkey".utf8), version: Data()) {
        case KeychainStatus.success: markIfPossible()
        // The canary was there after all, so the Keychain was not readable.
        case KeychainStatus.duplicate: throw StoreFailure(.protectedData)
        case let status: throw StoreFailure(KeychainStatus.trouble(status))
        }
    }

    /// Erases what an earlier installation has left: the sessions of all profiles.
    private func erase() throws(StoreFailure) -> Content {
        let isOurs = readSession() != .absent
        for keychain in [sessions, earlier].compactMap(\.self) {
            let status = keychain.delete()
            guard status == KeychainStatus.success || status == KeychainStatus.notFound else {
                throw StoreFailure(KeychainStatus.trouble(status))
            }
        }
        let status = canary.add(canaryName, Data("latchkey".utf8), version: Data())
        guard status == KeychainStatus.success || status == KeychainStatus.duplicate else {
            throw StoreFailure(KeychainStatus.trouble(status))
        }
        markIfPossible()
        guard isOurs else { return .nothing }
        let item = KeychainItem(
            data: StoredItem(.signedOut(StoreVersion(epoch: 1, generation: 0), .newInstallation)).encoded(origin: ""),
            version: Data("1.0".utf8))
        // The item only names the reason to the user; without it no user is signed in either.
        _ = sessions.add(profile, item.data, version: Data("1.0".utf8))
        return .item(item)
    }

    /// A marker that cannot be written is written with the first session, which fails without it.
    private func markIfPossible() {
        do { try files.mark() } catch {}
    }

    // MARK: - Writing

    private func write(_ data: Data, over content: Content, _ version: Data) -> Int32 {
        switch content {
        case .item(let item) where isElsewhere(item): return move(data, version, from: item)
        case .item(let item): return sessions.update(profile, from: item, to: data, version: version)
        case .nothing: return add(data, version)
        case .lost:
            let status = add(data, version)
            guard status == KeychainStatus.duplicate, sessions.read(profile) == .damaged else { return status }
            // The item's key is gone, so nothing can be written over it.
            _ = sessions.delete(profile)
            return add(data, version)
        }
    }

    private func add(_ data: Data, _ version: Data) -> Int32 {
        let status = sessions.add(profile, data, version: version)
        // Usually it is there, which is as good.
        if status == KeychainStatus.success { _ = canary.add(canaryName, Data("latchkey".utf8), version: Data()) }
        return status
    }

    private func isElsewhere(_ item: KeychainItem) -> Bool {
        guard let group = sessions.group, let present = item.group else { return false }
        return group != present
    }

    /// Adds the item to the app's new access group. The old one is deleted once the new one is there.
    private func move(_ data: Data, _ version: Data, from item: KeychainItem) -> Int32 {
        let status = add(data, version)
        if status == KeychainStatus.success { _ = earlier?.delete(profile, in: item.group) }
        return status
    }
}

extension KeychainStore.Accessibility {
    fileprivate var attribute: String {
        switch self {
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        case .whenUnlocked: kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String
        }
    }

    /// The protection class of files that are readable at the same times.
    fileprivate var ofFiles: Data.WritingOptions {
        switch self {
        case .afterFirstUnlock: .completeFileProtectionUntilFirstUserAuthentication
        case .whenUnlocked: .completeFileProtection
        }
    }
}
#endif
