import InternalAPI

/// Sends users in calls, as many in each as it can contain, and notes their results.
struct ImportUpload {
    private static let restMax = Duration.seconds(1)

    let connection: OperatorConnection
    /// The file to which old and new ids go.
    let map: IDMap?
    var tally = ImportTally()
    private var batch = ImportBatch()

    init(connection: OperatorConnection, map: IDMap?) {
        self.connection = connection
        self.map = map
    }

    /// Adds the user of a line. If the call is full, the users before it are sent first, followed by a pause of the same
    /// length.
    mutating func add(_ user: ImportedUser, line: Int) async throws {
        if try batch.add(user, line: line) { return }
        let start = ContinuousClock.now
        try await flush()
        // Half of the time is for the users who sign in.
        try await Task.sleep(for: min(ContinuousClock.now - start, Self.restMax))
        _ = try batch.add(user, line: line)
    }

    /// Sends the users that were not sent yet.
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
