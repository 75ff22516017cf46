import GRDB
import Synchronization
import Testing

@testable import SQLiteStore
@testable import UserCore

/// The number of SQL statements that a sign-in by phone runs, its transaction included: each costs the one writer time.
@Suite struct SignInStatementTests {
    private final class Statements: Sendable {
        private let texts = Mutex<[String]>([])

        func add(_ text: String) { texts.withLock { $0.append(text) } }

        func take() -> [String] {
            texts.withLock { texts in
                defer { texts = [] }
                return texts
            }
        }
    }

    @Test func `a sign-in of a user, of a new user and a repeat run a bounded number of statements`() async throws {
        let (fixture, statements) = (try UserFixture(), Statements())
        _ = try await fixture.signIn("+15550000000")
        try await fixture.database.withWriter { $0.trace { statements.add("\($0)") } }
        _ = statements.take()
        _ = try await fixture.signIn("+15551234567")
        let new = statements.take()
        _ = try await fixture.signIn("+15551234567", id: "again")
        let known = statements.take()
        _ = try await fixture.signIn("+15551234567", id: "again")
        let repeated = statements.take()
        #expect(new.count <= 15 && known.count <= 9 && repeated.count <= 7)
    }
}
