import FoundationEssentials
import InternalAPI
import TestSupport

/// A crowd of another system's users who are moved in twice at once while some log in and a process is killed.
struct ImportStorm: Sendable {
    private static let crowd = 600
    private static let importers = 2
    private static let password = "abc"
    private static let hash = "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"
    private static let (logins, loginsPerUser) = (4, 6)

    let stack: LatchkeyStack

    struct Report: Sendable {
        let findings: [String]
        let logins: Int
    }

    /// Runs a storm and returns the violations.
    func run(_ fault: ProcessFault?, seed: UInt64) async throws -> Report {
        let recorder = HistoryRecorder()
        let people = (0..<Self.crowd).map { _ in LatchkeyStack.freshAddress() }
        var logins = try await disturbed(people, recorder, fault, seed)
        try await stack.untilReady()
        // Once more, with nothing in the way.
        try await moveIn(people, recorder)
        let phone = TestPhone(Self.logins, of: stack, recorder: recorder)
        for person in people.suffix(Self.logins) {
            let session = try await untilAnswered { try await phone.logIn(person, Self.password) } ?? nil
            logins += session == nil ? 0 : 1
        }
        let findings =
            HistoryChecker().findings(in: recorder.operations).map(\.description)
            + (try missing(people, recorder)) + (try await DatabaseCheck(of: stack).findings())
        return Report(findings: findings.map { "amid \(fault?.description ?? "no fault"): \($0)" }, logins: logins)
    }

    private func disturbed(
        _ people: [String], _ recorder: HistoryRecorder, _ fault: ProcessFault?, _ seed: UInt64
    ) async throws -> Int {
        var generator = SeededGenerator(seed: seed)
        let faultAt = generator.milliseconds(0...400)
        let orders = (0..<Self.importers).map { _ in people.shuffled(using: &generator) }
        let lucky = (0..<Self.logins).compactMap { _ in people.randomElement(using: &generator) }
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for order in orders {
                group.addTask {
                    try await moveIn(order, recorder)
                    return 0
                }
            }
            for (number, person) in lucky.enumerated() {
                let pauses = (0..<Self.loginsPerUser).map { _ in generator.milliseconds(20...200) }
                group.addTask {
                    let phone = TestPhone(number, of: stack, recorder: recorder)
                    return try await logIn(person, phone, pauses)
                }
            }
            if let fault {
                group.addTask {
                    try await Task.sleep(for: faultAt)
                    _ = try await stack.inflict(fault)
                    return 0
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// Returns how many of the logins succeeded; those before the user is imported are refused.
    private func logIn(_ person: String, _ phone: TestPhone, _ pauses: [Duration]) async throws -> Int {
        var count = 0
        for pause in pauses {
            try await Task.sleep(for: pause)
            if let session = try await phone.logIn(person, Self.password), session != nil { count += 1 }
        }
        return count
    }

    /// Imports users like latchkeyctl, a hundred in a call, and repeats each call until it is answered.
    private func moveIn(_ people: [String], _ recorder: HistoryRecorder) async throws {
        let step = ImportUsersRequest.usersMax
        for start in stride(from: 0, to: people.count, by: step) {
            let part = Array(people[start..<min(start + step, people.count)])
            _ = try await untilAnswered {
                let outcome = await recorder.record(Operation(.moveIn)) { try await ask(part) }
                return outcome == .unknown ? nil : outcome
            }
        }
    }

    private func ask(_ people: [String]) async throws -> Outcome {
        let request = ImportUsersRequest(
            users: people.map {
                ImportedUser(legacyID: $0, email: $0, emailVerified: true, passwordHash: Self.hash)
            })
        let answer = try await ServiceCaller(stack: stack, caller: .control)
            .post("user", UserOperations.importUsers.path, request)
        guard answer.status == 200 else { return .unknown }
        let ids = try answer.decoded(ImportUsersAnswer.self).results.map { $0.userID ?? "nobody: \($0.problem ?? "")" }
        return .movedIn(Dictionary(uniqueKeysWithValues: zip(people, ids)))
    }

    /// Returns the users whose import was not acknowledged, or whose records are not as expected.
    private func missing(_ people: [String], _ recorder: HistoryRecorder) throws -> [String] {
        let acknowledged = recorder.operations.reduce(into: Set<String>()) { known, operation in
            if case .movedIn(let users) = operation.outcome { known.formUnion(users.keys) }
        }
        let check = DatabaseCheck(of: stack)
        return try people.filter { !acknowledged.contains($0) }.map { "\($0) was never acknowledged" }
            + people.filter {
                let records = try check.records(ofIdentity: $0)
                return ["users", "identities", "passwords", "user.imported"].contains { records[$0] != 1 }
            }.map { "\($0) is not there once" }
    }
}
