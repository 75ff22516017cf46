import Foundation
import LatchkeyAuthTesting
import Testing

@testable import LatchkeyAuth

#if canImport(StubDarwin)
import Network
#endif

/// Reports of the system, as changes of a session's surroundings (rows T42 and H54 of Tests/Compat/statements.md).
@Suite struct SurroundingsTests {
    private let wireless = NetworkRule.Path(isThere: true, interfaces: ["en0", "pdp_ip0"])
    private let cellular = NetworkRule.Path(isThere: true, interfaces: ["pdp_ip0"])
    private let none = NetworkRule.Path(isThere: false, interfaces: [])

    @Test func `the network is back after it was away, and over another interface`() {
        var rule = NetworkRule()
        let reports = [wireless, wireless, none, cellular, wireless, none, none, wireless]
        let isBack = reports.map { rule.isBack($0) }
        // The first report is the start.
        #expect(isBack == [false, false, false, true, true, false, false, true])
    }

    @Test func `notifications are changes, until no task reads them`() async throws {
        let center = NotificationCenter()
        let (back, away) = (Notification.Name("back"), Notification.Name("away"))
        let stopped = Flag()
        let surroundings = NotificationSurroundings(
            changesByName: [back: .foreground, away: .background],
            followNetwork: { tell in
                tell(NetworkRule.Path(isThere: false, interfaces: []))
                tell(NetworkRule.Path(isThere: true, interfaces: ["en0"]))
                return { stopped.set() }
            }, center: center)
        let reader = Task {
            var seen: [Change] = []
            for await change in surroundings.changes {
                seen.append(change)
                if change == .networkBack { center.post(name: away, object: nil) }
                if change == .background { center.post(name: back, object: nil) }
                if change == .foreground { break }
            }
            return seen
        }
        #expect(await reader.value == [.networkBack, .background, .foreground])
        await stopped.wait()
    }

    /// A flag that is set once.
    private final class Flag: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream() }

        func set() { continuation.finish() }

        func wait() async { for await _ in stream {} }
    }

    #if canImport(StubDarwin)
    @Test func `UIKit's notifications and the network's path reach the session`() async throws {
        func name(_ text: String) -> Notification.Name { Notification.Name(text) }
        var changes = SystemSurroundings().changes.makeAsyncIterator()
        NotificationCenter.default.post(name: name("UIApplicationDidEnterBackgroundNotification"), object: nil)
        #expect(await changes.next() == .background)
        NotificationCenter.default.post(name: name("UIApplicationWillEnterForegroundNotification"), object: nil)
        #expect(await changes.next() == .foreground)
        NotificationCenter.default.post(
            name: name("UIApplicationProtectedDataDidBecomeAvailable"), object: nil)
        #expect(await changes.next() == .protectedDataThere)
        StubNetwork.tell(.satisfied, "en0")
        StubNetwork.tell(.unsatisfied)
        StubNetwork.tell(.satisfied, "pdp_ip0")
        #expect(await changes.next() == .networkBack)
    }
    #endif
}
