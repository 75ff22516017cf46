import InternalAPI

/// Records in the audit what the operator of the running call reads. The record is durable before the operator gets the data.
struct NoteLookUp: Sendable {
    let audit: any AuditQueries
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `StorageError`; the data is not shown then.
    func callAsFunction(_ subject: String, ofUser userID: String? = nil) async throws {
        try await audit.noteLookUp(subject, ofUser: userID, by: OperatorName.current, now: now())
    }
}
