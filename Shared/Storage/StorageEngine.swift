package import ServiceLifecycle

/// A database as a process runs it; its stores work as long as it runs.
package protocol StorageEngine: Service {
    /// Whether it answers.
    func isAnswering() async -> Bool

    /// Has what was removed wiped from wherever the engine still keeps it, within a second or so.
    func wipeRemoved()
}
