import InternalAPI

/// Audit records in Redis that wait to be moved into the database.
protocol AuditStream: Sendable {
    /// Returns the oldest entries that wait.
    func oldest(limit: Int) async throws -> [AuditStreamEntry]

    /// Removes entries that have been moved.
    func remove(_ entries: [AuditStreamEntry.ID]) async throws
}

extension AuditStreamEntry {
    /// Reads a record's fields. An unknown event of a newer otp-service becomes `otp.other`, so that no record is lost or stops
    /// the records after it.
    init(id: String, fields: [String: [UInt8]]) {
        let text = { (name: String) in fields[name].flatMap { String(validating: $0, as: UTF8.self) } }
        let event = text(OTPAuditStream.Field.event)
        let known =
            event.flatMap(OTPAuditEvent.init(rawValue:)).map(AuditEntry.Event.init) ?? event.flatMap(Self.ofGuess)
        let detail = text(OTPAuditStream.Field.detail)
        self.init(
            id: id, time: text(OTPAuditStream.Field.time).flatMap { Int64($0) } ?? 0,
            entry: AuditEntry(
                event: known ?? .codeOther,
                subject: fields[OTPAuditStream.Field.subject].flatMap(Pseudonym.init(bytes:)) ?? .zero,
                origin: RequestOrigin(method: nil), detail: known == nil ? event : detail),
            reviewedIdentity: known == .numberLocked ? fields[OTPAuditStream.Field.identity] : nil,
            counts: AuditTally.counts(event: event, detail: detail, tally: text(OTPAuditStream.Field.tally)),
            isRecord: event != OTPAuditEvent.paid.rawValue)
    }

    private static func ofGuess(_ name: String) -> AuditEntry.Event? {
        AuditEntry.Event(rawValue: name).flatMap {
            [.passwordWrong, .passwordLocked, .passwordRefused].contains($0) ? $0 : nil
        }
    }
}

extension AuditEntry.Event {
    fileprivate init(_ event: OTPAuditEvent) {
        self =
            switch event {
            case .sent: .codeSent
            case .sendFailed: .codeSendFailed
            case .approved: .codeApproved
            case .wrongCode: .codeWrong
            case .locked: .numberLocked
            case .refused: .codesRefused
            case .spend: .spend
            case .paid: .codeOther
            case .traced: .traced
            case .unlocked: .numberUnlocked
            case .lookedUp: .codesLookedUp
            case .blockLifted: .blockLifted
            case .reviewOpened: .reviewOpened
            case .reviewEnded: .reviewEnded
            case .reviewUsed: .reviewUsed
            }
    }
}
