package import GRDB
internal import Storage

extension SQLiteDatabase {
    /// Reads a row or a few with one statement on the writer's connection, between two of its groups: the write that
    /// follows finds the page at hand, and the way to one of the pool's readers costs several times what the statement does.
    ///
    /// `body` sees all that was durable when it was called; it must not write. It waits for a commit that is under way, up
    /// to `busyWaitSeconds` when another process holds the file: what no write follows is better read with `read`.
    /// - Throws: what `body` throws, as `StorageError`.
    package func readOnWriter<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            switch reads.add(QueuedRead(body, resuming: continuation)) {
            case .queued: break
            case .startWorkingOff: workOffReads()
            case .full: continuation.resume(throwing: StorageError(.queueFull, "too many reads wait"))
            }
        }
    }

    /// One group, then at the end of the writer's own queue: under reads without end writes get their turn too.
    private func workOffReads() {
        onWriter { [self] database in
            if serveReads(in: database) { workOffReads() }
        }
    }

    /// Serves one group of reads, on the writer's thread and outside of any transaction: each statement sees the newest
    /// commit.
    ///
    /// - Returns: whether any waited.
    func serveReads(in database: Database) -> Bool {
        guard let group = reads.next() else { return false }
        let start = ContinuousClock.now
        let answers = group.map { $0.run(database) }
        metrics.record(metrics.read, ContinuousClock.now - start)
        // All at once: the callers' thread wakes up once.
        for tell in answers { tell() }
        return true
    }
}
