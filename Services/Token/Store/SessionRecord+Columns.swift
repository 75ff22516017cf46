import InternalAPI
import Storage
import TokenCore

extension SessionRecord {
    /// The columns of `sessions` that a record is read from.
    enum Column: Int, SelectedColumn {
        case locator, sid, userID, epoch, dialect, method, currentHash, previousHash, generation, salt, createdAt
        case lastUsedAt, authenticatedAt, idleExpiresAt, absoluteExpiresAt, accessExpiresAt, isRevoked, reason, device,
            network, claims
        case lateRepeats, lateGeneration, pageHash, markGeneration, markedAt, olderMarkGeneration, olderMarkedAt,
            deviceKind, actor, factors
    }

    /// The list of columns for a SELECT whose rows `init(_:userIDs:)` reads.
    static let columns = Column.list

    /// Reads the session in a row of `sessions`, or returns `nil` for a row that none of our versions wrote.
    init?(_ row: Row, userIDs: StoredUserID) {
        guard let id = SessionID(bytes: row.bytes(Column.sid)) else { return nil }
        let factors = row.optionalInteger(Column.factors)
        self.init(
            locator: row.integer(Column.locator), id: id, userID: userIDs.text(row.bytes(Column.userID)),
            epoch: row.integer(Column.epoch), dialect: row.text(Column.dialect), method: row.text(Column.method),
            currentHash: row.bytes(Column.currentHash), previousHash: row.bytes(Column.previousHash),
            generation: row.integer(Column.generation), salt: row.bytes(Column.salt),
            createdAt: row.integer(Column.createdAt), lastUsedAt: row.integer(Column.lastUsedAt),
            authenticatedAt: row.integer(Column.authenticatedAt),
            idleExpiresAt: row.integer(Column.idleExpiresAt),
            absoluteExpiresAt: row.optionalInteger(Column.absoluteExpiresAt),
            accessExpiresAt: row.integer(Column.accessExpiresAt),
            revokedFor: row.boolean(Column.isRevoked)
                ? RevocationReason(code: Int(clamping: row.integer(Column.reason))) : nil,
            lateRepeats: LateRepeats(
                count: row.integer(Column.lateRepeats), generation: row.integer(Column.lateGeneration)),
            marks: RotationMarks(
                newer: .init(generation: row.integer(Column.markGeneration), at: row.integer(Column.markedAt)),
                older: .init(generation: row.integer(Column.olderMarkGeneration), at: row.integer(Column.olderMarkedAt))
            ),
            device: row.optionalText(Column.device), deviceKind: row.optionalText(Column.deviceKind),
            network: row.optionalText(Column.network),
            pageHash: row.optionalBytes(Column.pageHash),
            actorID: row.optionalBytes(Column.actor).map { userIDs.text($0) },
            factors: factors.map(AuthenticationFactors.init(stored:)),
            latestFactors: factors.map { AuthenticationFactors(stored: $0 >> 16) },
            sealedClaims: row.bytes(Column.claims))
    }
}

extension SessionRecord {
    /// The factors as the column `factors` has them: all in the lowest 16 bits, and the latest in the next ones.
    var storedFactors: Int64 { Int64(factors.rawValue) | Int64(latestFactors.rawValue) << 16 }
}

extension AuthenticationFactors {
    fileprivate init(stored: Int64) { self.init(rawValue: UInt16(truncatingIfNeeded: stored)) }
}
