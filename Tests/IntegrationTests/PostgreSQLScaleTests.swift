import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Live {
    /// Token and user scaled from one to four processes and back under load, on PostgreSQL.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct PostgreSQLScaleTests {
        private static let settings = [
            "LATCHKEY_REPLICAS": "token=4,user=4", "TOKEN_DATABASE_CONNECTIONS": "4", "USER_DATABASE_CONNECTIONS": "4",
        ]
        /// All but the first of each.
        private static let others = (2...4).flatMap { ["token-\($0)", "user-\($0)"] }

        @Test func `no request fails and nothing deadlocks while one becomes four, and four become one`() async throws {
            try await withPostgreSQLServer { server in
                try await LatchkeyStack.run(
                    name: "PostgreSQLScaleTests", environment: Self.settings, database: StackDatabase(on: server)
                ) { stack in
                    try await stack.untilReady()
                    let load = RoadLoad(stack: stack)
                    try await load.run { progress in
                        try await stack.without(Self.others, by: SIGTERM) {
                            try await load.go(on: progress, "with one")
                        }
                        try await load.go(on: progress, "with four")
                        try await stack.without(Self.others, by: SIGTERM) {
                            try await load.go(on: progress, "with one again")
                        }
                    }
                }
                #expect(try await server.psql("SELECT sum(deadlocks) FROM pg_stat_database") == "0")
            }
        }
    }
}
