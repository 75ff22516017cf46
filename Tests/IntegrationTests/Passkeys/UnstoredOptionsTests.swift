import AuthAPI
import Foundation
import TestSupport
import Testing

private enum UnstoredPolicyFile {
    static let path = PasskeyClient.policy("unstored-options", "signUp: true")
}

extension Live {
    /// Options for passkeys store nothing: an open endpoint that wrote would let anybody fill Redis or the disk.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": UnstoredPolicyFile.path]))
    struct UnstoredOptionsTests {
        private static let callCount = 50
        private static let attemptsMax = 20
        private static let roundCount = 10
        private static let codeCount = 20

        let stack: LatchkeyStack
        let client: PasskeyClient

        init() throws {
            stack = try #require(RunningStack.current)
            client = PasskeyClient(stack: stack)
        }

        /// Whether some attempt leaves the database as it was. Jobs of the services write too, but not all the time.
        private func leavesDatabase(_ body: () async throws -> Void) async throws -> Bool {
            for _ in 0..<Self.attemptsMax {
                let before = try await databaseState()
                try await body()
                if try await databaseState() == before { return true }
            }
            return false
        }

        /// Sizes and times of SQLite's files, or the end of PostgreSQL's log.
        private func databaseState() async throws -> [String] {
            if let database = stack.database {
                return try await database.rows(of: "user", "SELECT pg_current_wal_insert_lsn()")
            }
            let files = try await Shell.run(
                "stat -c '%n %s %y' *.sqlite *.sqlite-wal", in: stack.dataDirectory)
            try #require(files.isSuccess && files.output.contains("users.sqlite"), "\(files.output)")
            return files.output.split(separator: "\n").map(String.init)
        }

        /// The bytes of Redis' append-only file, in which each write is.
        private func redisBytes() async throws -> Int {
            // Redis may hold a write back for two seconds while the disk is busy.
            try await Task.sleep(for: .seconds(2.5))
            let folder = stack.dataDirectory + "/redis/appendonlydir"
            return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, name in
                let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
                return sum + ((attributes[.size] as? NSNumber)?.intValue ?? 0)
            }
        }

        private func requestOptions(_ path: String) async throws {
            _ = try await concurrently(Self.callCount) { _ in try await client.options(path) }
        }

        @Test(arguments: ["/auth/passkeys/options", "/auth/passkeys/signup/options"])
        func `options write nothing to the database`(path: String) async throws {
            #expect(try await leavesDatabase { try await requestOptions(path) })
            // A sign-in does, each time.
            #expect(try await !leavesDatabase { _ = try await stack.signIn() })
        }

        @Test(arguments: ["/auth/passkeys/options", "/auth/passkeys/signup/options"])
        func `options write nothing to Redis, and need none`(path: String) async throws {
            let start = try await redisBytes()
            for _ in 0..<Self.roundCount { try await requestOptions(path) }
            let grown = try await redisBytes() - start
            // The services write a little by themselves. A command of Redis that writes has more than ten bytes.
            #expect(grown < 10 * Self.roundCount * Self.callCount, "\(grown) bytes")
            for _ in 0..<Self.codeCount { try await stack.requestCode(for: LatchkeyStack.freshPhone()) }
            #expect(try await redisBytes() - start - grown > 100 * Self.codeCount)
            try await stack.without(["redis"]) { try await requestOptions(path) }
            try await eventually("codes are sent again") {
                let body = OTPRequestBody(phoneNumber: LatchkeyStack.freshPhone(), countryCode: "US")
                return try await stack.gateway.post("/auth/otp/request", encoding: body).status == 200
            }
        }
    }
}
