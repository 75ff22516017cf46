package import ServiceLifecycle

/// A database that a process runs; its stores work as long as it runs.
package protocol StorageEngine: Service {
    /// Returns why the database cannot be used now, as a line for the operator, or `nil` if it can.
    func problem() async -> String?

    /// Has removed data wiped from wherever the engine still keeps it, within about a second.
    func wipeRemoved()

    /// Notes the rank of a newer server of the database that another process has seen.
    ///
    /// - Returns: the highest rank that this process knows; `nil` if servers are not compared.
    func exchangeServerRank(_ other: Int64?) -> Int64?
}

extension StorageEngine {
    package func exchangeServerRank(_ other: Int64?) -> Int64? { nil }
}
