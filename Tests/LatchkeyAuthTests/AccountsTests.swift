import Foundation
import LatchkeyAuthTesting
import Testing

@testable import LatchkeyAuth

/// Several users of one device (row T62 of Tests/Compat/statements.md).
@Suite struct AccountsTests {
    /// The stores of a device, by profile.
    private final class Stores: Sendable {
        private let stores = Locked<[String: MemoryStore]>([:])

        func store(_ profile: String) -> MemoryStore {
            stores.withLock { stores in
                let store = stores[profile] ?? MemoryStore()
                stores[profile] = store
                return store
            }
        }
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "accounts-\(UUID().uuidString)")
    private let transport = ScriptedTransport()
    private let stores = Stores()

    private func open() throws -> LatchkeyAccounts {
        var configuration = LatchkeyAuth.Configuration(baseURL: try #require(URL(string: "https://api.example.com")))
        configuration.transport = transport
        configuration.surroundings = FixedSurroundings()
        return try LatchkeyAccounts(configuration, folder: folder, store: { [stores] in stores.store($0) })
    }

    private func signIn(_ auth: LatchkeyAuth, as user: String) async throws {
        transport.on("POST", "/auth/otp/request", .json(200, ["status": "pending"]))
        transport.on("POST", "/auth/otp/verify", .signIn(userID: user, access: "access-\(user)"))
        try await auth.signIn(try await auth.requestCode(phone: "+15551234567"), code: "123456")
    }

    @Test func `two users are signed in at once, over restarts`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let accounts = try open()
        try await signIn(accounts.current, as: "usr_1")
        let second = try accounts.add()
        #expect(second.state == .signedOut(nil))
        #expect(accounts.current === second)
        try await signIn(second, as: "usr_2")
        #expect(try await accounts.all.first?.accessToken() == "access-usr_1")
        #expect(try await accounts.current.accessToken() == "access-usr_2")

        let later = try open()
        #expect(later.all.count == 2)
        #expect(try await later.current.accessToken() == "access-usr_2")
        try later.select(later.all[0])
        #expect(try await open().current.accessToken() == "access-usr_1")
    }

    @Test func `a session that no user has signed in to is used first`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let accounts = try open()
        #expect(try accounts.add() === accounts.all[0])
        try await signIn(accounts.current, as: "usr_1")
        let empty = try accounts.add()
        #expect(try accounts.add() === empty)
        #expect(accounts.all.count == 2)
    }

    @Test func `a removed user is signed out, and the others stay`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        transport.on("POST", "/auth/logout", .json(200, ["success": "yes"]))
        let accounts = try open()
        try await signIn(accounts.current, as: "usr_1")
        let second = try accounts.add()
        try await signIn(second, as: "usr_2")
        try await accounts.remove(second)
        #expect(second.state == .signedOut(.asked))
        #expect(accounts.all.count == 1)
        #expect(try await accounts.current.accessToken() == "access-usr_1")
        try await accounts.remove(accounts.current)
        #expect(accounts.all.count == 1, "the last one stays, for the next user")
    }

    @Test func `the file of the list has no tokens, and a damaged one begins anew`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let accounts = try open()
        try await signIn(accounts.current, as: "usr_1")
        _ = try accounts.add()
        let file = folder.appending(path: "accounts.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("usr_1") && !text.contains("access") && !text.contains("refresh"))
        try Data("garbage".utf8).write(to: file)
        #expect(try await open().current.accessToken() == "access-usr_1", "the first user is found without a list")
    }

    @Test func `a list that cannot be written adds no user`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var list = AccountList(first: "default")
        list.add("two")
        list.select("three")
        #expect(list.current == "two")
        try Data().write(to: folder)
        #expect(throws: StoreFailure(.unwritable)) { try list.write(to: folder.appending(path: "accounts.json")) }
    }
}
