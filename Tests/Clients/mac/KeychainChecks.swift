import Foundation
import LatchkeyAuth
import Security

/// Checks that need a real Keychain. `deploy/clients mac` starts the app with the name of a step, and reads its lines.
enum KeychainChecks {
    private static let store = KeychainStore(profile: "check")

    /// Runs a step and prints a line for each check.
    static func run(_ step: String) {
        do {
            switch step {
            case "first":
                report("no user is signed in at the first start", try store.load() == nil)
                report("a session is stored", try keep(1, 1) == nil)
                report("the session is read", try store.load() == item(1, 1))
                report("an older one does not take its place", try keep(1, 0) == item(1, 1))
            case "again":
                report("the session is there after a restart", try store.load() == item(1, 1))
            case "reinstalled":
                let text = try store.load().map { String(decoding: $0, as: UTF8.self) } ?? ""
                report("the earlier installation's session is erased", text.contains("newInstallation"))
                report("another session is stored", try keep(2, 1) == nil)
                report("the marker is there", try store.load() == item(2, 1))
            case "locked":
                report("before the first unlock nothing is known", isUnavailable())
            case "atomic":
                report("one of eight updates of the same version succeeds", isUpdateAtomic(rounds: 500))
                report("of many writers at once the newest wins", try newestWins())
            default: report("unknown step \(step)", false)
            }
        } catch {
            report("no error: \(error)", false)
        }
    }

    private static func report(_ name: String, _ isGood: Bool) { print("check \(isGood ? "ok" : "FAILED"): \(name)") }

    private static func item(_ epoch: UInt64, _ generation: UInt64) -> Data {
        Data(#"{"v":1,"epoch":\#(epoch),"generation":\#(generation)}"#.utf8)
    }

    private static func keep(_ epoch: UInt64, _ generation: UInt64) throws -> Data? {
        try store.keepNewer(item(epoch, generation), version: StoreVersion(epoch: epoch, generation: generation))
    }

    private static func isUnavailable() -> Bool {
        do {
            _ = try store.load()
            return false
        } catch {
            return error == StoreFailure(.protectedData)
        }
    }

    private static func newestWins() throws -> Bool {
        let newest = UInt64(8 * 50)
        DispatchQueue.concurrentPerform(iterations: 8) { writer in
            for step in 0..<50 {
                do { _ = try keep(9, UInt64(step * 8 + writer + 1)) } catch { report("no error: \(error)", false) }
            }
        }
        return try store.load() == item(9, newest)
    }

    // MARK: - The step that takes the place of a lock

    /// Whether of updates that name the same version exactly one finds the item, in every round.
    private static func isUpdateAtomic(rounds: Int) -> Bool {
        var first = query
        first[kSecAttrGeneric as String] = version(0)
        first[kSecValueData as String] = version(0)
        SecItemDelete(query as CFDictionary)
        guard SecItemAdd(first as CFDictionary, nil) == errSecSuccess else { return false }
        defer { SecItemDelete(query as CFDictionary) }
        return (0..<rounds).allSatisfy { round in
            let counter = Counter()
            DispatchQueue.concurrentPerform(iterations: 8) { writer in
                var old = query
                old[kSecAttrGeneric as String] = version(round)
                let new: [String: Any] = [
                    kSecAttrGeneric as String: version(round + 1), kSecValueData as String: Data("\(writer)".utf8),
                ]
                if SecItemUpdate(old as CFDictionary, new as CFDictionary) == errSecSuccess { counter.increase() }
            }
            return counter.count == 1
        }
    }

    private static var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "latchkey.check",
            kSecAttrAccount as String: "atomic", kSecUseDataProtectionKeychain as String: true,
        ]
    }

    private static func version(_ round: Int) -> Data { Data("1.\(round)".utf8) }

    private final class Counter: @unchecked Sendable {
        private(set) var count = 0  // Touched only while the lock is held.
        private let lock = NSLock()

        func increase() { lock.withLock { count += 1 } }
    }
}
