import GRDB
import InternalAPI
import Synchronization
import TestSupport
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

    @Test func `a known device in a known network costs a sign-in one read`() async throws {
        let (fixture, statements) = (try UserFixture(), Statements())
        func signIn(_ watch: SignInWatch?) async throws -> Int {
            var resolver = try fixture.resolver()
            resolver.watch = watch
            let request = ResolveRequest(
                attestation: try fixture.attestation(.phone("+15551234567")), name: nil,
                origin: SignInOrigin(fingerprint: "f", address: "198.51.100.7"))
            _ = statements.take()
            _ = try await resolver(request, requestID: "r-1", logger: .silent).answered
            return statements.take().count
        }
        let watch = SignInWatch(
            rule: NewDeviceRule(notifies: true), tags: OriginTags(ring: fixture.storageKeys),
            notices: AccountNotices(seal: fixture.seal))
        _ = try await signIn(watch)
        try await fixture.database.withWriter { $0.trace { statements.add("\($0)") } }
        let (watched, unwatched) = (try await signIn(watch), try await signIn(nil))
        #expect(watched == unwatched + 1)
    }
}
