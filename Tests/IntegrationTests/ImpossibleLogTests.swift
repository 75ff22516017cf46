import AuthAPI
import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Live {
    /// A database whose write-ahead log another program has brought into a state that SQLite's WAL-reset bug leaves.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct ImpossibleLogTests {
        /// `nBackfill` and `mxFrame` in SQLite's index of the log (`LogIndex`).
        private static let (copiedByte, committedByte): (off_t, off_t) = (96, 16)
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private var logText: String {
            get throws { try String(contentsOfFile: stack.dataDirectory + "/log/token.log", encoding: .utf8) }
        }

        /// Counts a frame as copied that does not exist.
        private func spoilIndex() throws {
            let file = unsafe open(stack.dataDirectory + "/tokens.sqlite-shm", O_RDWR | O_CLOEXEC)
            try #require(file >= 0)
            defer { close(file) }
            var word: UInt32 = 0
            let read = unsafe pread(file, &word, 4, Self.committedByte)
            word += 1_000
            let written = unsafe pwrite(file, &word, 4, Self.copiedByte)
            #expect(read == 4 && written == 4)
        }

        @Test(.onFiles) func `a process that finds it exits without closing, is started again, and no session is lost`()
            async throws
        {
            let session = try await stack.signIn()
            let metrics = try await stack.operations("token").get("/metrics").text
            #expect(metrics.contains("sqlite_wal_impossible_total 0") && metrics.contains("sqlite_version_info{"))
            #expect(try logText.contains("sqlite.version"))
            let before = try #require(stack.processID(of: "token"))
            try spoilIndex()
            try await eventually("token-service is another process") {
                stack.processID(of: "token").map { $0 != before } ?? false
            }
            try await stack.untilReady()
            #expect(try logText.contains("sqlite.wal_impossible"))
            let body = RefreshBody(refreshToken: session.tokens.refreshToken)
            #expect(try await stack.gateway.post("/auth/refresh", encoding: body).status == 200)
        }
    }
}
