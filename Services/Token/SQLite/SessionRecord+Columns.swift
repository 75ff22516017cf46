import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import TokenCore

extension SessionRecord {
    /// The columns of `sessions` that a record is read from.
    enum Column: CInt, StatementColumn {
        case locator, sid, userID, epoch, dialect, method, currentHash, previousHash, generation, salt, createdAt
        case lastUsedAt, idleExpiresAt, absoluteExpiresAt, accessExpiresAt, isRevoked, reason, device, network, claims
        case lateRepeats, lateGeneration, pageHash, markGeneration, markedAt, olderMarkGeneration, olderMarkedAt
    }

    /// The list of columns for a SELECT whose rows `init(_:userIDs:)` reads.
    static let columns = Column.list

    /// Reads the session in a row of `sessions`, or returns `nil` for a row that none of our versions wrote.
    init?(_ row: StatementColumns<Column>, userIDs: StoredUserID) {
        guard let id = SessionID(bytes: row.bytes(.sid)) else { return nil }
        let isRevoked = row.integer(.isRevoked) != 0
        self.init(
            locator: row.integer(.locator), id: id, userID: userIDs.text(row.stored(.userID)),
            epoch: row.integer(.epoch), dialect: row.text(.dialect), method: row.text(.method),
            currentHash: row.bytes(.currentHash), previousHash: row.bytes(.previousHash),
            generation: row.integer(.generation), salt: row.bytes(.salt), createdAt: row.integer(.createdAt),
            lastUsedAt: row.integer(.lastUsedAt), idleExpiresAt: row.integer(.idleExpiresAt),
            absoluteExpiresAt: row.value(.absoluteExpiresAt), accessExpiresAt: row.integer(.accessExpiresAt),
            revokedFor: isRevoked ? RevocationReason(code: Int(clamping: row.integer(.reason))) : nil,
            lateRepeats: LateRepeats(count: row.integer(.lateRepeats), generation: row.integer(.lateGeneration)),
            marks: RotationMarks(
                newer: .init(generation: row.integer(.markGeneration), at: row.integer(.markedAt)),
                older: .init(generation: row.integer(.olderMarkGeneration), at: row.integer(.olderMarkedAt))),
            device: row.value(.device), network: row.value(.network),
            pageHash: row.value(.pageHash, as: Data.self).map { Array($0) }, sealedClaims: row.bytes(.claims))
    }
}
