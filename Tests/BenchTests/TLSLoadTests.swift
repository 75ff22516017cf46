import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import BenchCore

struct TLSLoadTests {
    @Test func `requests go over TLS to a server whose authority is trusted, and to no other`() async throws {
        try await Self.serving { server, tls in
            let connection = try await LoadConnection.open(port: server.port, tls: tls)
            for _ in 0..<2 { try await connection.send(.get("/"), expecting: 204) }
            await connection.close()
            try await Self.authority { foreign in
                let stranger = try await LoadConnection.open(
                    port: server.port, tls: try LoadTLS(trusting: foreign.certificate))
                await #expect(throws: (any Error).self) { try await stranger.send(.get("/")) }
            }
        }
    }

    @Test func `a client that is far away waits a round trip for the handshake and one for the answer`() async throws {
        try await Self.serving { server, tls in
            let start = ContinuousClock.now
            let connection = try await LoadConnection.open(
                port: server.port, tls: tls, roundTrip: .milliseconds(100))
            try await connection.send(.get("/"), expecting: 204)
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            await connection.close()
        }
    }

    @Test func `a server answers the same first message as often as it comes, and a flood opens others`() async throws {
        try await Self.serving { server, tls in
            let hello = try tls.hello()
            // A handshake record with a ClientHello (RFC 8446 section 5.1 and 4).
            #expect(hello.first == 22 && hello.dropFirst(5).first == 1)
            let waiting = HostilePlan(scripts: [HostileScript(opening: hello)], count: 10, addressCount: 2)
            try await HostileCrowd.run(waiting, port: server.port) { tally in
                try await eventually("each is answered") { tally.answeredCount.load(ordering: .relaxed) == 10 }
                #expect(tally.readBytes.load(ordering: .relaxed) > 10 * 500)
            }
            let script = HostileScript(opening: hello, ending: .answered(orAfter: .seconds(5)))
            let flood = HostilePlan(scripts: [script], count: 4, addressCount: 4, reopens: true)
            try await HostileCrowd.run(flood, port: server.port) { tally in
                try await eventually("others have come") { tally.answeredCount.load(ordering: .relaxed) > 20 }
            }
        }
    }

    @Test(arguments: [HostileScript.Reading.all, .nothing])
    func `a hostile client over TLS shakes hands and does what its script says`(
        reading: HostileScript.Reading
    ) async throws {
        try await Self.serving { server, tls in
            let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            let script = HostileScript(repeated: request, repeats: 3, reading: reading)
            let plan = HostilePlan(scripts: [script], count: 5, addressCount: 5, tls: tls)
            try await HostileCrowd.run(plan, port: server.port) { tally in
                try await eventually("all have sent all") {
                    tally.answeredCount.load(ordering: .relaxed) == 5
                        && tally.sentBytes.load(ordering: .relaxed) == 5 * 3 * request.count
                }
            }
        }
    }

    /// Runs `body` with a server over TLS that answers everything with 204, and a client that trusts it.
    private static func serving(_ body: (LoopbackServer, LoadTLS) async throws -> Void) async throws {
        try await authority { authority in
            let pair = try await authority.issue("server", .init(names: [LoadTLS.serverName]))
            try await LoopbackServer.run(tls: (pair.certificate, pair.key)) { _ in
                ServedAnswer(status: 204)
            } _: { server in
                try await body(server, try LoadTLS(trusting: authority.certificate))
            }
        }
    }

    private static func authority(_ body: (TestAuthority) async throws -> Void) async throws {
        try await ScratchFolder.run("tls-load") { folder in try await body(try await TestAuthority.make(in: folder)) }
    }
}
