import AuthAPI
import Foundation
import TestSupport
import Testing

extension Live.MovingInTests {
    /// PBKDF2 with two million rounds, Argon2 with many iterations, bcrypt of cost 13: each takes longer than many hashes of ours,
    /// in less memory.
    private static let slowHashes = [
        "pbkdf2_sha256$2000000$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "$argon2id$v=19$m=8,t=131072,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$2b$13$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i",
    ]

    /// The status of one login. A 503 is not tried again.
    private func status(_ address: String, _ password: String) async throws -> Int {
        try await stack.gateway.post("/auth/login", encoding: LoginBody(email: address, password: password)).status
    }

    private func importUsers(_ hashes: [String]) async throws -> [String] {
        let people = hashes.map { ($0, LatchkeyStack.freshAddress()) }
        let path = stack.dataDirectory + "/slow-\(UUID().uuidString).jsonl"
        let lines = people.map { #"{"email":"\#($1)","emailVerified":true,"passwordHash":"\#($0)"}"# }
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try await stack.control("users import '\(path)'").isSuccess)
        return people.map(\.1)
    }

    @Test(arguments: slowHashes)
    func `slow hashes of another system hold up no other login`(hash: String) async throws {
        let slow = try await importUsers(Array(repeating: hash, count: 12))
        let others = try await importUsers(
            Array(repeating: "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i", count: 19))
        // Hashes of ours from now on.
        for address in others { #expect(try await logIn(address).status == 200) }
        let attack = Task {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for address in slow { group.addTask { try await status(address, "wrong horse") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        try await Task.sleep(for: .milliseconds(100))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for address in others { group.addTask { try await status(address, Self.password) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: others.count))
        // A login that no thread can serve in time is answered 503.
        #expect(try await attack.value.allSatisfy { $0 == 401 || $0 == 503 })
    }
}
