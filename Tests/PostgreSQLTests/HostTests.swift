import Foundation
import Glibc
import Logging
import Storage
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

/// A URL with several hosts, of which some are away: the services try each.
@Suite(.timeLimit(.minutes(2))) struct HostTests {
    private static func database(
        _ ports: [Int], of test: DatabaseUnderTest, options: String = ""
    ) throws -> PostgreSQLDatabase {
        try PostgreSQLDatabase.open(
            test.configuration(ofServersAt: ports, options: options), migrations: [], logger: Logger(label: "test"))
    }

    @Test func `a forwarder that accepts and closes does not keep the next host from being used`() async throws {
        let test = try await DatabaseUnderTest()
        let server = try await PostgreSQLServer.sharedServer()
        try await withForwarder { lost in
            let database = try Self.database([lost.port, lost.port, server.port], of: test)
            try await database.add(1, "a")
            let later = try Self.database([server.port, lost.port], of: test)
            #expect(try await later.names() == ["a"])
            // At their start both ask each host which server it is. The host that worked comes first from then on.
            #expect(lost.accepted == 2 + 2 + 1)
        }
    }

    @Test func `hosts that refuse, are not found, or send nothing are left for the next one`() async throws {
        let test = try await DatabaseUnderTest()
        let server = try await PostgreSQLServer.sharedServer()
        try await withForwarder(closes: false) { silent in
            for hosts in ["127.0.0.1:1", "no.such.host.invalid", "127.0.0.1:\(silent.port)", "%2Fnowhere"] {
                let url =
                    "postgres://postgres@\(hosts),127.0.0.1:\(server.port)/postgres?connect_timeout=1&sslmode=disable"
                let configuration = PostgreSQLConfiguration(
                    url: try DatabaseURL(url), schema: test.configuration.schema, isProduction: false,
                    durability: .unchecked)
                let start = ContinuousClock.now
                let database = try PostgreSQLDatabase.open(
                    configuration, migrations: [], logger: Logger(label: "test"))
                _ = try await database.names()
                #expect(ContinuousClock.now - start < Patience.limit, "\(hosts)")
            }
        }
    }

    /// Five seconds on a machine of its own; in the suite, a test's deadline.
    private static let writesAgain = LongRun.isOn ? Duration.seconds(5) : Patience.limit

    @Test func `writes work soon after a promotion, also behind forwarders`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { primary in
            try await withStandby(of: primary) { standby in
                let test = try await DatabaseUnderTest(url: primary.url)
                try await eventually("the standby has the tables") {
                    try await standby.psql("SELECT to_regclass('\"\(test.configuration.schema)\".items') IS NOT NULL")
                        == "t"
                }
                try await withFaultProxy(toward: primary.port) { forwarder in
                    let database = try Self.database([forwarder.port, standby.port], of: test)
                    try await database.add(1, "a")
                    try await primary.kill()
                    // The forwarder accepts connections, and closes them.
                    let failure = await #expect(throws: StorageError.self) { try await database.add(2, "b") }
                    #expect(failure?.code == .io || failure?.code == .unknown)
                    try await Task.sleep(for: .seconds(3))
                    try await standby.promote()
                    let start = ContinuousClock.now
                    var id: Int64 = 10
                    try await eventually("writes work", within: Self.writesAgain) {
                        id += 1
                        do { try await database.add(id, "\(id)") } catch is StorageError { return false }
                        return true
                    }
                    #expect(ContinuousClock.now - start < Self.writesAgain)
                }
            }
        }
    }

    @Test func `after a failure the next attempt begins at the next host`() throws {
        let hosts = try DatabaseURL("postgres://u@a,b,c/db").hosts
        let order = HostOrder()
        var tried: [String] = []
        func attempt(_ working: String?) throws {
            tried = []
            _ = try order.connect(to: hosts) { host in
                tried.append(host.name)
                guard host.name == working else { throw PostgreSQLError(.lost, "\(host.name) is away") }
            }
        }
        try attempt("b")
        #expect(tried == ["a", "b"])
        try attempt("b")
        #expect(tried == ["b"])
        order.leave(1)
        try attempt("a")
        #expect(tried == ["c", "a"])
        order.leave(2)
        try attempt("a")
        #expect(tried == ["a"])
        #expect { try attempt(nil) } throws: {
            ($0 as? PostgreSQLError)?.message == "a is away; b is away; c is away"
        }
    }

    @Test func `a Unix socket with another port than the usual one is used`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            let place = "host=\(server.directory)&port=\(server.port)"
            let url = "postgres://postgres@/postgres?\(place)&application_name=by-socket"
            let database = try await DatabaseUnderTest(url: url).open()
            try await database.add(1, "Łukasz")
            #expect(try await database.names() == ["Łukasz"])
            let name = "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'by-socket'"
            #expect(try await server.psql(name) == "t")
        }
    }

    @Test func `the server's warnings are lines of the log, from the start of a connection on`() async throws {
        try await withPostgreSQLServer(settings: ["fsync = off"]) { server in
            _ = try await server.psql(
                "CREATE DATABASE old TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C.UTF-8'")
            _ = try await server.psql("UPDATE pg_database SET datcollversion = '0' WHERE datname = 'old'")
            let test = try await DatabaseUnderTest(url: "postgres://postgres@127.0.0.1:\(server.port)/old")
            let log = TestLog(from: .warning)
            var configuration = test.configuration
            configuration.logger = log.logger
            let database = try PostgreSQLDatabase.open(configuration, migrations: [], logger: log.logger)
            try await database.write { transaction in
                try transaction.run("DO $$ BEGIN RAISE WARNING E'one\nline'; END $$")
                _ = try transaction.rows("SELECT 1")
            }
            let lines = log.lines.filter { $0.hasPrefix("postgresql.notice ") }
            #expect(lines.first?.contains("severity=WARNING") == true)
            #expect(lines.first?.contains("collation version mismatch") == true, "\(log.lines)")
            #expect(lines.last == "postgresql.notice code=01000 finding=one; line severity=WARNING", "\(log.lines)")
        }
    }
}

/// A listener that accepts connections and closes them at once, as the forwarder of a lost server does; or sends nothing.
private final class Forwarder: Sendable {
    let port: Int
    private let socket: CInt
    private let closes: Bool
    private let count = Mutex(0)

    /// The number of connections until now.
    var accepted: Int { count.withLock { $0 } }

    init(port: Int, socket: CInt, closes: Bool) { (self.port, self.socket, self.closes) = (port, socket, closes) }

    func serve() {
        var kept: [CInt] = []
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { break }
            count.withLock { $0 += 1 }
            if closes { close(connection) } else { kept.append(connection) }
        }
        for connection in kept { close(connection) }
    }
}

private func withForwarder(closes: Bool = true, _ body: (Forwarder) async throws -> Void) async throws {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    try #require(listener >= 0 && listen(listener, 16) == 0)
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isNamed = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(listener, $0, &size) }
    }
    try #require(isNamed == 0)
    let forwarder = Forwarder(port: Int(address.sin_port.bigEndian), socket: listener, closes: closes)
    let thread = Thread { forwarder.serve() }
    thread.start()
    defer {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }
    try await body(forwarder)
}
