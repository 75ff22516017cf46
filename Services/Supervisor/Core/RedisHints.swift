/// Advice for the operator about a Redis that does not start.
enum RedisHints {
    /// Parts of the lines that Redis logs when it exits because of its append-only file.
    private static let damaged = [
        "reading the append only file", "AOF manifest", "append log file", "loading the append only file",
        "AOF loading", "Internal error in RDB reading",
    ]

    /// Returns a hint if the child is Redis and exited because its append-only file is damaged; `nil` otherwise.
    static func hint(for child: Child, in data: DataDirectory) -> String? {
        guard child.spec.name == "redis" else { return nil }
        return hint(lastWords: child.lastWords(in: data), folder: data.redis)
    }

    static func hint(lastWords: String, folder: String) -> String? {
        guard damaged.contains(where: { lastWords.contains($0) }) else { return nil }
        return
            "Redis' append-only file is damaged. Latchkey can go on with an empty Redis: move \(folder)/appendonlydir away "
            + "and start again. Then codes that were sent are void, limits, lockouts and budgets count from 0, and audit "
            + "records of codes that were not yet moved to users.sqlite are lost. Users, sessions and revocations stay."
    }
}
