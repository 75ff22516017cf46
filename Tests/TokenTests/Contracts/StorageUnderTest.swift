import Foundation
import InternalAPI
import Logging
import Storage
import TestSupport
import TokenTables

@testable import TokenCore

extension StorageUnderTest {
    static let user = "usr_0190a1b2c3d4e5f60718293a4b5c6d7e"

    /// - Parameter server: The address of another PostgreSQL than the shared one.
    convenience init(_ engine: DatabaseKind, at server: String? = nil) async throws {
        try await self.init(engine, at: server, migrations: TokenDatabase.schemaSteps)
    }

    /// Returns the view of one process among several.
    ///
    /// - Parameter writesEvents: Whether the process has a hook for events.
    func replica(writesEvents: Bool = false) throws -> StorageReplica {
        let logger = Logger(label: "test")
        let storage =
            if let schema {
                try TokenDatabase.open(schema, policy: policy, logger: logger, writesEvents: writesEvents)
            } else {
                try TokenDatabase.open(
                    path: folder + "/tokens.sqlite", policy: policy, logger: logger, writesEvents: writesEvents)
            }
        return StorageReplica(storage: storage, home: self)
    }
}

/// The storage as one replica has it; what lies below lives as long.
struct StorageReplica: Sendable {
    let storage: TokenStorage
    let home: StorageUnderTest

    var sessions: any SessionStore { storage.sessions }
    var revocations: any RevocationStore { storage.revocations }
    var keys: any SigningKeyStore { storage.keys }
}

extension StorageReplica {
    /// A session's opening that the store has nothing against, unless it is told otherwise.
    func opening(
        grant: String = UUID().uuidString, user: String = StorageUnderTest.user, epoch: Int64 = 0, version: Int64 = 1,
        at now: Int64 = 1_000, sessionsMax: Int = 100, method: String = "sms", marks: RotationMarks = RotationMarks(),
        page: [UInt8]? = nil, replacedPage: [UInt8]? = nil, factors: AuthenticationFactors? = nil
    ) async throws -> SessionOpening {
        let session = SessionRecord(
            locator: try await sessions.reserveLocator(), id: SessionID.new(at: now), userID: user, epoch: epoch,
            dialect: "native", method: method, currentHash: [UInt8](repeating: 1, count: 32),
            salt: [UInt8](repeating: 2, count: 16), createdAt: now, lastUsedAt: now, idleExpiresAt: now + 1_000,
            absoluteExpiresAt: nil, accessExpiresAt: now + 100, marks: marks, device: "Pixel",
            network: "203.0.113.0/24", pageHash: page, factors: factors,
            sealedClaims: [3, 4, 5])
        return SessionOpening(
            grantID: grant, grantExpiresAt: now + 60, version: version, session: session, sessionsMax: sessionsMax,
            replacedPageHash: replacedPage)
    }

    /// A session that lives.
    func opened(
        user: String = StorageUnderTest.user, epoch: Int64 = 0, at now: Int64 = 1_000, method: String = "sms",
        marks: RotationMarks = RotationMarks(), factors: AuthenticationFactors? = nil
    ) async throws -> SessionRecord {
        let opening = try await opening(
            user: user, epoch: epoch, at: now, method: method, marks: marks, factors: factors)
        guard case .opened = try await sessions.open(opening, now: now) else { throw Unexpected() }
        return opening.session
    }

    /// Notes that a session's user has shown these factors.
    func noted(
        _ factors: AuthenticationFactors, in session: SessionRecord, at time: Int64, id: String? = nil,
        version: Int64? = nil, now: Int64 = 2_000
    ) async throws -> NotedAuthentication {
        try await sessions.noteAuthentication(
            of: session.id, session.statement(factors, at: time, id: id, version: version), at: time, now: now)
    }

    struct Unexpected: Error {}
}

extension SessionRecord {
    /// A statement that the session's user has shown these factors.
    func statement(
        _ factors: AuthenticationFactors, at time: Int64, id: String? = nil, version: Int64? = nil
    ) -> Reauthentication {
        Reauthentication(
            userID: userID, sessionID: self.id.text, method: "code", at: time, expiresAt: time + 60, factors: factors,
            id: id, version: version)
    }
}

extension NextToken {
    /// The token of `generation`, told from all others by its hash.
    static func numbered(
        _ generation: Int64, accessExpiresAt: Int64 = 2_000, marks: RotationMarks? = nil
    ) -> NextToken {
        NextToken(
            hash: [UInt8](repeating: UInt8(truncatingIfNeeded: 100 + generation), count: 32), generation: generation,
            salt: [UInt8](repeating: 6, count: 16), idleExpiresAt: 3_000, accessExpiresAt: accessExpiresAt,
            marks: marks)
    }
}
