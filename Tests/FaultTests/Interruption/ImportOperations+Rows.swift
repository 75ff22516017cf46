import FoundationEssentials
import InternalAPI
import TestSupport

extension DurableOperation {
    /// The writes of user-service when users are imported from another system.
    static let importOperations = [
        DurableOperation(name: "import", process: "user") { stack, _ in
            let crowd = Newcomers()
            return InterruptedAct(
                changes: crowd.changes, records: { try crowd.records(in: stack) },
                perform: { try await crowd.moveIn(stack, $0) }, gain: { try Newcomers.ids($0) })
        }
    ]
}

/// Some who come in one call: all of them, or none.
private struct Newcomers: Sendable {
    private static let count = 3
    private static let hash = "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"

    private let addresses = (0..<count).map { _ in LatchkeyStack.freshAddress() }

    /// The changes for each user that a row of `records(ofIdentity:)` counts.
    var changes: [String: Int] {
        ["users", "identities", "passwords", "user.imported", "epochs", "versions"]
            .reduce(into: [:]) { $0[$1] = Self.count }
    }

    func records(in stack: LatchkeyStack) throws -> [String: Int] {
        let check = DatabaseCheck(of: stack)
        let counts = try addresses.reduce(into: [String: Int]()) { counts, address in
            counts.merge(try check.records(ofIdentity: address), uniquingKeysWith: +)
        }
        // First answers are those of all, and this act keeps none.
        return counts.filter { $0.key != "answers" }
    }

    func moveIn(_ stack: LatchkeyStack, _ client: TestHTTPClient) async throws -> HTTPAnswer {
        let request = ImportUsersRequest(
            users: addresses.map {
                ImportedUser(
                    legacyID: "old \($0)", email: $0, emailVerified: true, name: "Betty", passwordHash: Self.hash)
            })
        return try await ServiceCaller(stack: stack, caller: .control, client: client)
            .post("user", UserOperations.importUsers.path, request)
    }

    /// Whether they came now or before is no part of it.
    static func ids(_ answer: HTTPAnswer) throws -> String {
        try answer.decoded(ImportUsersAnswer.self).results.map { $0.userID ?? $0.problem ?? "nobody" }
            .joined(separator: " ")
    }
}
