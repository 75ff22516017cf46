import Storage
import Testing

@testable import PostgreSQL

/// Which servers are refused by what they say of themselves.
@Suite struct ServerFactsTests {
    private static let durable = [
        "fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "synchronous_standby_names": "",
        "server_encoding": "UTF8",
    ]

    private func facts(_ changes: [String: String] = [:], version: Int = 150_018) -> ServerFacts {
        ServerFacts(version: version, settings: Self.durable.merging(changes) { $1 })
    }

    @Test func `a server before 15 is refused`() throws {
        #expect(throws: StorageError.self) { try facts(version: 140_012).require(.unchecked) }
        try facts(version: 150_000).require(.settings)
    }

    @Test(arguments: ["SQL_ASCII", "LATIN2", "EUC_JP", ""])
    func `a database of another encoding is refused, whatever its durability`(_ encoding: String) {
        #expect(throws: StorageError.self) { try facts(["server_encoding": encoding]).require(.unchecked) }
    }

    @Test(arguments: [
        ["fsync": "off"], ["full_page_writes": "off"], ["synchronous_commit": "off"],
        ["synchronous_commit": "local", "synchronous_standby_names": "a"],
        ["synchronous_commit": "remote_write", "synchronous_standby_names": "a"],
    ])
    func `a server that can lose a commit is refused, unless its storage cannot`(_ changes: [String: String]) throws {
        #expect(throws: StorageError.self) { try facts(changes).require(.settings) }
        try facts(changes).require(.storage)
        #expect(facts(changes).weakness != nil)
    }

    @Test(arguments: [
        [:], ["synchronous_commit": "local"], ["synchronous_commit": "remote_apply", "synchronous_standby_names": "a"],
    ])
    func `a durable server is accepted`(_ changes: [String: String]) throws {
        try facts(changes).require(.settings)
    }
}
