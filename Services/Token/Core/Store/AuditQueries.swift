package import InternalAPI

/// Reads token-service's audit.
package protocol AuditQueries: Sendable {
    /// A page of records, newest first.
    func records(_ request: AuditRequest) async throws -> AuditPage
}
