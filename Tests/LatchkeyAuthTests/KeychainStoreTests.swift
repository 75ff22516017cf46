#if canImport(StubDarwin)
import Foundation
import LatchkeyAuthTesting
import Security
import Testing

@testable import LatchkeyAuth

/// `KeychainStore` over the stub Keychain of `Tests/Clients/apple-stubs`: `deploy/clients apple` runs it (rows H47, H48, H70, A31,
/// A32, A43, A49, T35, V19 and G20 of Tests/Compat/statements.md).
extension StubDeviceTests {
    @Suite final class KeychainStoreTests: Sendable {
        let folder = FileManager.default.temporaryDirectory.appending(path: "keychain-\(UUID().uuidString)")

        init() {
            StubKeychain.change { $0 = StubKeychainState() }
            StubKeychain.groupContainers = nil
        }

        /// The rest of an earlier installation.
        private let erased = StoredItem(.signedOut(StoreVersion(epoch: 1, generation: 0), .newInstallation))

        deinit { try? FileManager.default.removeItem(at: folder) }

        private func store(
            _ profile: String = "default", group: String? = nil,
            accessibility: KeychainStore.Accessibility = .afterFirstUnlock,
            isExtension: Bool = false, in folders: [URL]? = nil
        ) -> KeychainStore {
            KeychainStore(
                profile: profile, accessGroup: group, accessibility: accessibility,
                folders: folders ?? (isExtension ? [] : [folder]), isExtension: isExtension)
        }

        private func item(_ epoch: UInt64, _ generation: UInt64, _ note: String = "") -> Data {
            Data(#"{"v":1,"epoch":\#(epoch),"generation":\#(generation),"note":"\#(note)"}"#.utf8)
        }

        @discardableResult
        private func keep(
            _ store: KeychainStore, _ epoch: UInt64, _ generation: UInt64, _ note: String = ""
        ) throws -> Data? {
            try store.keepNewer(
                item(epoch, generation, note), version: StoreVersion(epoch: epoch, generation: generation))
        }

        private var sessions: [StubItem] {
            StubKeychain.change { $0.items.filter { $0.service == "latchkey.session" } }
        }

        private func lock(_ lock: StubKeychainState.Lock, hides: Bool = false) throws {
            StubKeychain.change {
                $0.lock = lock
                $0.hidesLockedItems = hides
            }
            // A folder in the probe's place cannot be read, as a file of a locked protection class cannot.
            for name in ["probe-first-unlock", "probe-unlocked"] {
                let probe = folder.appending(path: name)
                if FileManager.default.fileExists(atPath: probe.path()) {
                    try FileManager.default.removeItem(at: probe)
                }
                let isLocked = lock == .beforeFirstUnlock || lock == .locked && name == "probe-unlocked"
                if isLocked { try FileManager.default.createDirectory(at: probe, withIntermediateDirectories: true) }
            }
        }

        /// The app is removed: its files go, its items in the Keychain stay.
        private func removeApp() throws { try FileManager.default.removeItem(at: folder) }

        // MARK: - The contract of stores

        @Test func `the newer item stays`() throws {
            let store = store()
            #expect(try store.load() == nil)
            #expect(try keep(store, 1, 1) == nil)
            #expect(try keep(store, 1, 2) == nil)
            #expect(try keep(store, 1, 1) == item(1, 2))
            #expect(try keep(store, 1, 2, "another") == item(1, 2))
            #expect(try keep(store, 2, 0) == nil)
            #expect(try keep(store, 1, 99) == item(2, 0))
            #expect(try store.load() == item(2, 0))
            #expect(sessions.count == 1)
            #expect(sessions.first?.generic == Data("2.0".utf8))
        }

        @Test func `of many writers at once the newest wins`() throws {
            let stores = (0..<8).map { _ in store() }
            _ = try stores[0].load()
            DispatchQueue.concurrentPerform(iterations: 8) { writer in
                for step in 0..<10 {
                    _ = try? self.keep(stores[writer], 1, UInt64(step * 8 + writer + 1))
                }
            }
            #expect(try store().load() == item(1, 80))
        }

        @Test func `an item goes to this device's Keychain only, in the class that is set`() throws {
            try keep(store(), 1, 1)
            #expect(sessions.map(\.accessible) == [kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly])
            try keep(store(accessibility: .whenUnlocked), 1, 2)
            #expect(sessions.map(\.accessible) == [kSecAttrAccessibleWhenUnlockedThisDeviceOnly])
        }

        @Test func `each profile has an item of its own`() throws {
            try keep(store("one"), 1, 1)
            try keep(store("two"), 5, 1)
            #expect(try store("one").load() == item(1, 1))
            #expect(try store("two").load() == item(5, 1))
        }

        @Test func `a damaged text makes room for any item`() throws {
            let store = store()
            try keep(store, 3, 1)
            StubKeychain.change { state in
                for place in state.items.indices { state.items[place].data = Data("garbage".utf8) }
            }
            #expect(try store.load() == Data("garbage".utf8))
            #expect(try keep(store, 1, 1) == nil)
            #expect(try store.load() == item(1, 1))
        }

        // MARK: - Other processes

        @Test func `another process that is faster keeps its newer item`() throws {
            let store = store()
            try keep(store, 1, 1)
            StubKeychain.beforeNextUpdate { [self] in _ = try? keep(self.store(), 1, 5) }
            #expect(try keep(store, 1, 2) == item(1, 5))
            #expect(try store.load() == item(1, 5))
        }

        @Test func `another process that is faster with an older item is written over`() throws {
            let store = store()
            try keep(store, 1, 1)
            StubKeychain.beforeNextUpdate { [self] in _ = try? keep(self.store(), 1, 2) }
            #expect(try keep(store, 1, 3) == nil)
            #expect(try store.load() == item(1, 3))
        }

        @Test func `another process that adds first is judged`() throws {
            let store = store()
            _ = try store.load()
            StubKeychain.change { state in
                state.faults = [StubFault(errSecItemNotFound, on: [.copy], times: 1)]
                state.items.append(
                    StubItem(
                        service: "latchkey.session", account: "default", group: "TEAM.app", accessible: "cku",
                        generic: Data("1.7".utf8), data: item(1, 7)))
            }
            #expect(try keep(store, 1, 2) == item(1, 7))
        }

        // MARK: - A locked device

        @Test(arguments: [false, true])
        func `before the first unlock nothing is known, however it shows`(_ hides: Bool) throws {
            let store = store()
            try keep(store, 1, 1)
            try lock(.beforeFirstUnlock, hides: hides)
            #expect(throws: StoreFailure(.protectedData)) { try store.load() }
            #expect(throws: StoreFailure(.protectedData)) { try keep(store, 1, 2) }
            try lock(.unlocked)
            #expect(try store.load() == item(1, 1))
        }

        @Test(arguments: [false, true])
        func `an app that is started before the first unlock for the first time waits`(_ hides: Bool) throws {
            try lock(.beforeFirstUnlock, hides: hides)
            #expect(throws: StoreFailure(.protectedData)) { try store().load() }
            try lock(.unlocked)
            #expect(try store().load() == nil)
        }

        @Test(arguments: [false, true])
        func `an item for unlocked devices waits while the device is locked`(_ hides: Bool) throws {
            let store = store(accessibility: .whenUnlocked)
            try keep(store, 1, 1)
            try lock(.locked, hides: hides)
            #expect(throws: StoreFailure(.protectedData)) { try store.load() }
            try lock(.unlocked)
            #expect(try store.load() == item(1, 1))
        }

        @Test(arguments: [false, true])
        func `an item after the first unlock is readable while the device is locked`(_ hides: Bool) throws {
            let store = store()
            try keep(store, 1, 1)
            try lock(.locked, hides: hides)
            #expect(try store.load() == item(1, 1))
            #expect(try keep(store, 1, 2) == nil)
        }

        @Test func `the phone is unlocked between two readings`() throws {
            try keep(store(), 1, 1)
            // The first reading is answered as it is before the unlock, those that follow as after it.
            StubKeychain.change { $0.faults = [StubFault(errSecItemNotFound, on: [.copy], times: 1)] }
            #expect(try store().load() == item(1, 1))
        }

        // MARK: - Every fault

        @Test(arguments: [errSecMissingEntitlement, -25291, -25293, -128, -50, -108, -36, -4, -25295, -61])
        func `no error number is taken for an empty store`(_ status: OSStatus) throws {
            let store = store()
            try keep(store, 1, 1)
            StubKeychain.change { $0.faults = [StubFault(status)] }
            #expect(throws: StoreFailure(.denied(Int(status)))) { try store.load() }
            #expect(throws: StoreFailure(.denied(Int(status)))) { try keep(store, 1, 2) }
            StubKeychain.change { $0.faults = [StubFault(status, on: [.add, .update])] }
            #expect(throws: StoreFailure(.denied(Int(status)))) { try keep(store, 1, 2) }
            StubKeychain.change { $0.faults = [] }
            #expect(try store.load() == item(1, 1))
            #expect(try keep(store, 1, 2) == nil)
        }

        @Test func `an app without any entitlement is told so`() throws {
            StubKeychain.change { $0.groups = [] }
            #expect(throws: StoreFailure(.denied(-34018))) { try store().load() }
            StubKeychain.change { $0.groups = ["TEAM.app"] }
            #expect(throws: StoreFailure(.denied(-34018))) { try store(group: "TEAM.other").load() }
        }

        @Test func `a write whose status is lost is found by the next one`() throws {
            let store = store()
            try keep(store, 1, 1)
            StubKeychain.change { $0.faults = [StubFault(-36, on: [.update], times: 1, isPerformed: true)] }
            #expect(throws: StoreFailure(.denied(-36))) { try keep(store, 1, 2) }
            #expect(try keep(store, 1, 2) == item(1, 2))
        }

        @Test func `an item that cannot be decrypted is lost only if the canary can be`() throws {
            let store = store()
            try keep(store, 1, 1)
            StubKeychain.change { $0.faults = [StubFault(errSecDecode, on: [.copy])] }
            #expect(throws: StoreFailure(.unreadable)) { try store.load() }
            StubKeychain.change { state in
                state.faults = []
                for place in state.items.indices where state.items[place].service == "latchkey.session" {
                    state.items[place].isDamaged = true
                }
            }
            #expect(try store.load() == Data())
            #expect(try keep(store, 2, 1) == nil, "the next sign-in takes its place")
            #expect(try store.load() == item(2, 1))
        }

        @Test func `a Keychain that was erased is a lost session`() throws {
            try keep(store(), 1, 1)
            StubKeychain.change { $0.items = [] }
            #expect(try store().load() == Data())
            #expect(try keep(store(), 2, 1) == nil)
            StubKeychain.change { $0.items.removeAll { $0.service == "latchkey.session" } }
            #expect(try store().load() == nil, "the canary is there again")
        }

        // MARK: - Installations and restored backups

        @Test func `after a reinstallation old items are erased`() throws {
            try keep(store("one"), 3, 4)
            try keep(store("two"), 1, 1)
            try removeApp()
            let text = try #require(try store("one").load())
            #expect(StoredItem(text, origin: "") == erased)
            #expect(try store("two").load() == nil)
            #expect(!sessions.contains { $0.data == item(3, 4) || $0.data == item(1, 1) })
            #expect(try keep(store("one"), 2, 1) == nil)
            #expect(try store("one").load() == item(2, 1))
        }

        @Test func `an erasure that fails is tried again, and shows no session`() throws {
            try keep(store(), 3, 4)
            try removeApp()
            StubKeychain.change { $0.faults = [StubFault(-36, on: [.delete], times: 1)] }
            #expect(throws: StoreFailure(.denied(-36))) { try store().load() }
            #expect(StoredItem(try store().load(), origin: "") == erased)
        }

        @Test(arguments: [false, true])
        func `a reinstalled app before the first unlock waits`(_ hides: Bool) throws {
            try keep(store(), 3, 4)
            try removeApp()
            try lock(.beforeFirstUnlock, hides: hides)
            #expect(throws: StoreFailure(.protectedData)) { try store().load() }
            try lock(.unlocked)
            #expect(StoredItem(try store().load(), origin: "") == erased)
        }

        @Test func `another device has no session of the backup`() throws {
            try keep(store(), 3, 4)
            try removeApp()
            StubKeychain.change { $0.restoreOnAnotherDevice() }
            #expect(try store().load() == nil)
        }

        @Test func `a session is not stored without the marker`() throws {
            try FileManager.default.createDirectory(
                at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("a file in the folder's place".utf8).write(to: folder)
            #expect(throws: StoreFailure(.unwritable)) { try keep(store(), 1, 1) }
            #expect(sessions.isEmpty)
            try FileManager.default.removeItem(at: folder)
            #expect(try keep(store(), 1, 1) == nil)
        }

        // MARK: - Extensions and access groups

        @Test func `an extension uses the session and erases nothing`() throws {
            #expect(throws: StoreFailure(.protectedData)) { try store(isExtension: true).load() }
            try keep(store(), 1, 1)
            try removeApp()
            #expect(try store(isExtension: true).load() == item(1, 1))
            #expect(try keep(store(isExtension: true), 1, 2) == nil)
            #expect(sessions.map(\.data) == [item(1, 2)])
        }

        @Test func `an extension knows that no user is signed in`() throws {
            #expect(try store().load() == nil)
            #expect(try store(isExtension: true).load() == nil)
        }

        @Test func `a session moves to the access group of a later release`() throws {
            try keep(store(), 1, 1)
            StubKeychain.change { $0.groups = ["TEAM.app", "TEAM.shared"] }
            let later = store(group: "TEAM.shared", in: [folder.appending(path: "group"), folder])
            #expect(try later.load() == item(1, 1))
            #expect(try keep(later, 1, 2) == nil)
            #expect(sessions.map(\.group) == ["TEAM.shared"])
            #expect(try later.load() == item(1, 2))
            #expect(try keep(later, 1, 3) == nil)
            #expect(sessions.map(\.data) == [item(1, 3)])
        }

        @Test func `the marker is in the container of the app group`() throws {
            StubKeychain.groupContainers = folder
            StubKeychain.change { $0.groups = ["TEAM.shared"] }
            let store = KeychainStore(accessGroup: "TEAM.shared", appGroup: "group.example")
            #expect(try keep(store, 1, 1) == nil)
            let marker = folder.appending(path: "group.example/latchkey/installation")
            #expect(FileManager.default.fileExists(atPath: marker.path()))
        }
    }
}
#endif
