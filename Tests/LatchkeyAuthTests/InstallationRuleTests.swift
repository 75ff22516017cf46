import Foundation
import Testing

@testable import LatchkeyAuth

/// The table that tells an empty Keychain, a locked one, a lost session and a new installation apart (rows A49 and H70 of
/// Tests/Compat/statements.md).
@Suite struct InstallationRuleTests {
    private static let item = KeychainItem(data: Data("session".utf8), version: Data("1.1".utf8))

    struct Row: Sendable {
        let marker: InstallationMarker
        let canary: KeychainReading
        let session: KeychainReading
        var isUnlocked = true
        var isExtension = false
        let means: InstallationRule.Finding
    }

    static let canary = KeychainReading.found(KeychainItem(data: Data("latchkey".utf8)))

    static let rows = [
        // The app knows its installation.
        Row(marker: .present, canary: canary, session: .found(item), means: .item(item)),
        Row(marker: .present, canary: canary, session: .absent, means: .nobody),
        Row(marker: .present, canary: canary, session: .damaged, means: .lost),
        Row(marker: .present, canary: .absent, session: .found(item), means: .item(item)),
        Row(marker: .present, canary: .absent, session: .absent, means: .lost),
        Row(marker: .present, canary: .absent, session: .absent, isUnlocked: false, means: .failed(.protectedData)),
        Row(marker: .present, canary: .absent, session: .damaged, isUnlocked: false, means: .failed(.protectedData)),
        Row(marker: .present, canary: .damaged, session: .damaged, means: .failed(.unreadable)),
        // Without the marker, whatever there is comes from an earlier installation.
        Row(marker: .absent, canary: canary, session: .found(item), means: .newInstallation),
        Row(marker: .absent, canary: canary, session: .absent, means: .newInstallation),
        Row(marker: .absent, canary: .absent, session: .found(item), means: .newInstallation),
        Row(marker: .absent, canary: .absent, session: .absent, means: .firstStart),
        Row(marker: .absent, canary: .absent, session: .absent, isUnlocked: false, means: .firstStart),
        // A marker that cannot be read proves nothing.
        Row(marker: .hidden, canary: canary, session: .found(item), means: .item(item)),
        Row(marker: .hidden, canary: canary, session: .absent, means: .nobody),
        Row(marker: .hidden, canary: .absent, session: .absent, means: .firstStart),
        Row(marker: .hidden, canary: .absent, session: .damaged, means: .failed(.unreadable)),
        // An extension begins nothing and erases nothing.
        Row(marker: .absent, canary: canary, session: .found(item), isExtension: true, means: .item(item)),
        Row(marker: .absent, canary: canary, session: .absent, isExtension: true, means: .nobody),
        Row(marker: .hidden, canary: .absent, session: .absent, isExtension: true, means: .failed(.protectedData)),
        Row(marker: .present, canary: .absent, session: .absent, isExtension: true, means: .failed(.protectedData)),
    ]

    @Test(arguments: rows)
    func `marker, canary and item tell what there is`(_ row: Row) {
        let found = InstallationRule.judge(
            session: { row.session }, canary: { row.canary }, marker: row.marker, isUnlocked: row.isUnlocked,
            isExtension: row.isExtension)
        #expect(found == row.means)
    }

    @Test(arguments: [StoreTrouble.protectedData, .denied(-34018), .unreadable])
    func `a failure is never taken for an empty store`(_ trouble: StoreTrouble) {
        for marker in [InstallationMarker.present, .absent, .hidden] {
            for isExtension in [true, false] {
                let first = InstallationRule.judge(
                    session: { .failed(trouble) }, canary: { Self.canary }, marker: marker, isUnlocked: true,
                    isExtension: isExtension)
                #expect(first == .failed(trouble))
                let second = InstallationRule.judge(
                    session: { .absent }, canary: { .failed(trouble) }, marker: marker, isUnlocked: true,
                    isExtension: isExtension)
                #expect(second == .failed(trouble))
            }
        }
    }

    /// The device is unlocked after the session was read and before the canary is.
    @Test func `an item that seemed absent is read again after the canary`() {
        var readings = [KeychainReading.absent, .found(Self.item)]
        let found = InstallationRule.judge(
            session: { readings.removeFirst() }, canary: { Self.canary }, marker: .present, isUnlocked: false,
            isExtension: false)
        #expect(found == .item(Self.item))
    }

    /// Without an access group, a search covers the groups that other apps of the team use as well.
    @Test func `an app without an access group has items of its own`() {
        #expect(
            KeychainService.name("session", group: nil, bundle: "com.example.a") == "latchkey.session.com.example.a")
        #expect(KeychainService.name("session", group: "TEAM.shared", bundle: "com.example.a") == "latchkey.session")
        #expect(KeychainService.name("session", group: nil, bundle: nil) == "latchkey.session")
    }

    @Test func `a missing entitlement is named`() {
        #expect("\(LogLine.storeFailed(.denied(-34018)))".contains("keychain-access-groups"))
        #expect(!"\(LogLine.storeFailed(.denied(-25291)))".contains("entitlement"))
        #expect(KeychainStatus.trouble(-25308) == .protectedData)
    }
}
