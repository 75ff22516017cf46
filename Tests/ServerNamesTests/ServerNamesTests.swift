import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import ServerNames

@Suite(.timeLimit(.minutes(3))) struct ServerNamesTests {
    /// The limit of a look-up that is not to reach it.
    private static let patience: TimeAmount = .seconds(50)

    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Names of which those that begin with `hang` get their result when the gate opens.
    private final class Stub: Sendable {
        let counts = Mutex<[String: Int]>([:])
        private let gate = DispatchSemaphore(value: 0)

        var names: ServerNames {
            ServerNames { [self] name in
                counts.withLock { $0[name, default: 0] += 1 }
                if name.hasPrefix("hang") { gate.wait() }
                if name.hasPrefix("none") { return .failure(.notFound("none")) }
                do { return .success([try SocketAddress(ipAddress: "127.0.0.1", port: 0)]) } catch {
                    return .failure(.notFound("\(error)"))
                }
            }
        }

        func count(_ name: String) -> Int { counts.withLock { $0[name] ?? 0 } }

        func open(_ count: Int = 16) { for _ in 0..<count { gate.signal() } }
    }

    private func failure(_ names: ServerNames, _ host: String, within limit: TimeAmount) async -> NameFailure? {
        do {
            _ = try await names.addresses(of: host, port: 1, on: loop, within: limit).get()
            return nil
        } catch { return error as? NameFailure }
    }

    @Test func `a name that is never resolved delays no other one, and its callers wait for a limited time`()
        async throws
    {
        let stub = Stub()
        let names = stub.names
        let stuck = (1...8).map { names.addresses(of: "hang-\($0)", port: 1, on: loop, within: Self.patience) }
        // The others hang until the gate opens.
        let found = try await names.addresses(of: "a", port: 80, on: loop, within: Self.patience).get()
        #expect(found == [try SocketAddress(ipAddress: "127.0.0.1", port: 80)])
        #expect(await failure(names, "hang-9", within: .milliseconds(50)) == .noReply)
        stub.open()
        for future in stuck { #expect(try await future.get().count == 1) }
    }

    @Test func `callers wait as long as the instance has them wait`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let names = ServerNames(within: .milliseconds(50)) { _ in
            gate.wait()
            return .failure(.noReply)
        }
        await #expect(throws: NameFailure.noReply) {
            try await names.addresses(of: "hang", port: 1, on: loop).get()
        }
        gate.signal()
    }

    @Test func `callers of one name share a lookup, which is begun again if it takes long`() async throws {
        let stub = Stub()
        let names = stub.names
        let together = (0..<3).map { _ in names.addresses(of: "hang", port: 1, on: loop, within: .milliseconds(50)) }
        for future in together { await #expect(throws: NameFailure.noReply) { try await future.get() } }
        try await eventually("a lookup") { stub.count("hang") == 1 }
        try await Task.sleep(for: .seconds(2))
        let later = names.addresses(of: "hang", port: 7, on: loop, within: Self.patience)
        try await eventually("a second lookup") { stub.count("hang") == 2 }
        stub.open(1)
        #expect(try await later.get().first?.port == 7)
        stub.open()
    }

    @Test func `a name without an address fails at once, and the next call looks it up again`() async throws {
        let stub = Stub()
        let names = stub.names
        for count in 1...2 {
            #expect(await failure(names, "none", within: Self.patience) == .notFound("none"))
            #expect(stub.count("none") == count)
        }
    }

    @Test func `an IP address is not looked up`() async throws {
        let stub = Stub()
        for host in ["127.0.0.1", "::1"] {
            let found = try await stub.names.addresses(of: host, port: 9, on: loop).get()
            #expect(found == [try SocketAddress(ipAddress: host, port: 9)])
            #expect(stub.count(host) == 0)
        }
    }

    @Test func `the system's names have addresses, and unknown ones do not`() async throws {
        let found = try await ServerNames.system.addresses(of: "localhost", port: 5, on: loop).get()
        #expect(found.contains(try SocketAddress(ipAddress: "127.0.0.1", port: 5)))
        let unknown = await failure(.system, "name.invalid", within: Self.patience)
        #expect(unknown != nil && unknown != .noReply)
    }

    @Test func `a connection by name on a loop is made while another name hangs there`() async throws {
        let stub = Stub()
        let names = stub.names
        let server = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let stuck = ClientBootstrap(group: loop).resolver(names.resolver(on: loop)).connectTimeout(.milliseconds(400))
            .connect(host: "hang", port: port)
        let channel = try await ClientBootstrap(group: loop).resolver(names.resolver(on: loop))
            .connect(host: "a", port: port).get()
        try await channel.close()
        await #expect(throws: (any Error).self) { _ = try await stuck.get() }
        stub.open()
        try await server.close()
    }
}
