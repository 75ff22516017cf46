package import InternalAPI

/// Reads token-service's audit, and records what an operator reads.
package protocol AuditQueries: Sendable {
    /// A page of records, newest first.
    func records(_ request: AuditRequest) async throws -> AuditPage

    /// Records of each chain after a place, in their order; their numbers are those in their chains.
    func tail(after places: [Int64: Int64], limit: Int) async throws -> [AuditTailPage.Record]

    /// Records that an operator has read something.
    ///
    /// - Parameters:
    ///   - subject: what was read: `sessions`, `keys` or `audit`.
    ///   - userID: the user whose data it was. A text that is no id of this deployment is not stored, since it may be a phone number.
    ///   - now: Unix time in seconds.
    func noteLookUp(_ subject: String, ofUser userID: String?, by name: OperatorName?, now: Int64) async throws
}
