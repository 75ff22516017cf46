import CallDeadlines
import Glibc
import Storage
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

/// Faults of servers, networks and proxies.
@Suite(.timeLimit(.minutes(5))) struct OutageTests {
    @Test func `a connection that is lost before COMMIT is replaced, and the transaction runs again`() async throws {
        let test = try await DatabaseUnderTest()
        try await withFaultProxy(toward: PostgreSQLServer.sharedServer().port) { proxy in
            let database = try test.open(port: proxy.port)
            try await database.add(1, "a")
            proxy.reset()
            #expect(try await database.names() == ["a"])
            let attempts = Mutex(0)
            try await database.write { transaction in
                _ = try transaction.rows("SELECT 1")
                let isFirst = attempts.withLock { attempts in
                    attempts += 1
                    return attempts == 1
                }
                if isFirst { proxy.reset() }
                while isFirst, (try? transaction.rows("SELECT 1")) != nil { pauseThread() }
                try transaction.run("INSERT INTO items (id, name) VALUES (2, 'b')")
                if isFirst { _ = try transaction.rows("SELECT 1") }
            }
            #expect(attempts.withLock { $0 } == 2)
            #expect(try await database.names() == ["a", "b"])
        }
    }

    @Test func `connections that the server has closed while they were idle cost no call`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            let test = try await DatabaseUnderTest(url: server.url)
            let (database, observer) = (try test.open(), try test.open())
            for id in 1...20 as ClosedRange<Int64> {
                try await observer.read { reading in
                    _ = try reading.rows(
                        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()"
                    )
                }
                // One round trip, whose COMMIT travels with the change.
                try await database.add(id, "\(id)")
            }
            #expect(try await database.names().count == 20)
        }
    }

    @Test func `a connection that is lost after COMMIT leaves the outcome unknown`() async throws {
        let test = try await DatabaseUnderTest()
        let direct = try test.open()
        try await withFaultProxy(toward: PostgreSQLServer.sharedServer().port) { proxy in
            let database = try test.open(port: proxy.port)
            for id in 1...20 as ClosedRange<Int64> {
                // Each has its statement prepared, so that its reply is short.
                try await database.add(-id, "first \(id)")
                proxy.reset(afterReplyBytes: 1)
                await #expect {
                    try await database.add(id, "\(id)")
                } throws: {
                    ($0 as? StorageError)?.code == .unknown
                }
            }
            // The reply was on its way, so each took effect.
            #expect(try await direct.names().count == 40)
        }
    }

    @Test func `a commit that no standby confirms is unknown, even if the server reports success`() async throws {
        try await withPostgreSQLServer { server in
            let test = try await DatabaseUnderTest(url: server.url, durability: .settings)
            let (database, observer) = (try test.open(), try test.open())
            try server.set("synchronous_standby_names = 'nobody'")
            // The server's checkpointer has to read the setting first.
            var id: Int64 = 10
            try await eventually("a commit waits") {
                id += 1
                do { try await database.add(id, "before \(id)") } catch let error as StorageError {
                    return error.code == .unknown
                }
                return false
            }
            let cancelled = Task { try await database.add(2, "is cancelled") }
            // The server then reports success and a warning.
            try await eventually("the wait is cancelled") {
                try await observer.read { reading in
                    try !reading.rows(
                        """
                        SELECT pg_cancel_backend(pid) FROM pg_stat_activity
                        WHERE wait_event = 'SyncRep' AND state_change > now() - interval '2 s'
                        """
                    ).isEmpty
                }
            }
            await #expect { try await cancelled.value } throws: {
                let error = $0 as? StorageError
                return error?.code == .unknown && error?.message == "the server warned during the commit"
            }
            #expect(try await observer.names().filter { !$0.hasPrefix("before") } == ["is cancelled"])
            // An answer from the rows just read would rest on that commit.
            await #expect { try await observer.confirm() } throws: { ($0 as? StorageError)?.code == .unknown }
            try server.set("synchronous_standby_names = ''")
            try await eventually("commits wait no longer") {
                do { try await observer.confirm() } catch is StorageError { return false }
                return true
            }
        }
    }

    @Test func `a frozen server is left in time, and used again when it goes on`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            let database = try await DatabaseUnderTest(url: server.url).open()
            try await database.add(1, "a")
            try server.freeze()
            try await promptly("a read") {
                _ = await #expect { try await database.names() } throws: { ($0 as? StorageError)?.code == .io }
            }
            try server.thaw()
            try await eventually("it answers again") { await database.problem() == nil }
            try await database.add(2, "b")
            try await server.kill()
            #expect(await database.problem() != nil)
            try await server.launch()
            try await eventually("it answers after a crash") { await database.problem() == nil }
            #expect(try await database.names() == ["a", "b"])
        }
    }

    @Test func `a write that comes too late does not run`() async throws {
        let database = try await DatabaseUnderTest().open()
        let passed = CallDeadline(in: .zero)
        await CallDeadline.$current.withValue(passed) {
            await #expect { try await database.add(1, "a") } throws: { ($0 as? StorageError)?.code == .late }
        }
        #expect(try await database.names().isEmpty)
    }
}

/// Waits a millisecond on a thread that may block.
func pauseThread() { usleep(1_000) }
