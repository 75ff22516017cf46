package import ServiceLifecycle

/// A database that a process runs; its stores work as long as it runs.
package protocol StorageEngine: Service {
    /// Whether the database responds.
    func isAnswering() async -> Bool

    /// Has removed data wiped from wherever the engine still keeps it, within about a second.
    func wipeRemoved()
}
