import InternalAPI

/// Sends users in calls, as many in each as it holds, and notes what became of them.
struct ImportUpload {
    private static let restMax = Duration.seconds(1)

    let connection: OperatorConnection
    /// Where old and new ids go.
    let map: IDMap?
    var tally = ImportTally()
    private var batch = ImportBatch()

    init(connection: OperatorConnection, map: IDMap?) {
        self.connection = connection
        self.map = map
    }

    /// Adds the user of a line; the users before him go first where the call is full, and it rests for as long as that took.
    mutating func add(_ user: ImportedUser, line: Int) async throws {
        if try batch.add(user, line: line) { return }
        let start = ContinuousClock.now
        try await flush()
        // Half of the time is for those who sign in.
        try await Task.sleep(for: min(ContinuousClock.now - start, Self.restMax))
        _ = try batch.add(user, line: line)
    }

    /// Sends what has not been sent.
    mutating func flush() async throws {
        guard !batch.users.isEmpty else { return }
        let answer = try await connection.call(UserOperations.importUsers, ImportUsersRequest(users: batch.users))
        for ((user, number), result) in zip(zip(batch.users, batch.numbers), answer.results) {
            tally.count(result, line: number)
            guard let userID = result.userID, let old = user.legacyID ?? user.id else { continue }
            try map?.add(old, userID)
        }
        batch = ImportBatch()
    }
}
