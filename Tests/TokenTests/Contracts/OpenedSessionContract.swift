import InternalAPI
import Storage
import TestSupport
import Testing

@testable import TokenCore

/// The promises of every engine about the session that a grant has opened.
@Suite struct OpenedSessionContract {
    @Test(arguments: DatabaseKind.allCases)
    func `the session of a grant is found at every replica, as it is now, until its row is gone`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine)
        let replicas = [try storage.replica(), try storage.replica()]
        let opening = try await replicas[0].opening(grant: "previous:abc")
        #expect(try await replicas[0].sessions.session(openedBy: "previous:abc") == nil)
        #expect(try await replicas[0].sessions.open(opening, now: 1_000) == .opened(displaced: []))
        for replica in replicas {
            #expect(try await replica.sessions.session(openedBy: "previous:abc") == .session(opening.session))
            #expect(try await replica.sessions.session(openedBy: "previous:abd") == nil)
        }
        _ = try await replicas[1].sessions.end(opening.session.id, reason: .logout, now: 1_001)
        let ended = try await replicas[0].sessions.session(openedBy: "previous:abc")
        guard case .session(let session) = ended else {
            Issue.record("\(String(describing: ended))")
            return
        }
        #expect(session.revokedFor == .logout)
        try await replicas[0].revocations.markPublished([opening.session.id])
        _ = try await replicas[0].sessions.removeEnded(ofUser: StorageUnderTest.user, limit: 9)
        #expect(try await replicas[1].sessions.session(openedBy: "previous:abc") == .gone)
    }
}
