import FoundationEssentials
import NIOCore
import NIOEmbedded
import NIOTLS
import Synchronization
import TestSupport
import Testing

@testable import BenchCore

struct TLSLoadTests {
    @Test func `every handshake of the load is a full one, which the server has taken`() async throws {
        try await Self.serving { server, tls in
            let outcome = await HandshakeLoad(port: server.port, laneCount: 4, seconds: 1, tls: tls).run()
            // One of each lane at least, however busy the machine is.
            #expect(outcome.count >= 4)
            #expect(outcome.resumedCount == 0 && outcome.failureCount == 0)
            #expect(outcome.p99Milliseconds > 0 && outcome.seconds >= 1)
        }
    }

    @Test(arguments: [(false, HandshakeEnd.resumed), (true, .full(milliseconds: 0))])
    func `a handshake in which no certificate came is told from a full one`(
        hasCertificate: Bool, expected: HandshakeEnd
    ) throws {
        let channel = EmbeddedChannel()
        let outcome = channel.eventLoop.makePromise(of: HandshakeEnd.self)
        let witness = HandshakeWitness(since: .now(), .seconds(1), outcome)
        try channel.pipeline.syncOperations.addHandler(witness)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        if hasCertificate { witness.didSeeCertificate() }
        channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
        switch (try outcome.futureResult.wait(), expected) {
        case (.resumed, .resumed), (.full, .full): break
        case (let end, _): Issue.record("\(end)")
        }
    }

    @Test func `a flood ends each connection as soon as it is answered, and opens another`() async throws {
        try await Self.serving { server, tls in
            let script = HostileScript(opening: try tls.hello(), ending: .answered(orAfter: .seconds(5)))
            let plan = HostilePlan([script], count: 4, addresses: 4, reopens: true)
            try await HostileCrowd.run(plan, port: server.port) { tally in
                try await eventually("others have come") { tally.answeredCount.load(ordering: .relaxed) > 20 }
            }
        }
    }

    @Test func `a server that never ends its connections, and one that is gone, count for nothing`() async throws {
        try await StalledUpstream.run { silent in
            try await Self.serving { server, tls in
                let unanswered = await HandshakeLoad(
                    port: silent.port, laneCount: 1, seconds: 0.1, tls: tls, patience: .milliseconds(300)
                ).run()
                #expect(unanswered.count == 0 && unanswered.failureCount == 1)
                await server.stop()
                let refused = await HandshakeLoad(port: server.port, laneCount: 1, seconds: 0.1, tls: tls).run()
                #expect(refused.count == 0 && refused.failureCount > 0)
            }
        }
    }

    @Test func `what a run prints is read as it was`() throws {
        let outcome = HandshakeLoad.Outcome(
            count: 5000, resumedCount: 1, failureCount: 2, seconds: 5.25, p99Milliseconds: 12.5)
        #expect(HandshakeLoad.Outcome(printed: "something\n\(outcome.line)\n") == outcome)
        #expect(HandshakeLoad.Outcome(printed: "Killed\n") == nil)
    }

    @Test func `requests go over TLS to a server whose authority is trusted, and to no other`() async throws {
        try await Self.serving { server, tls in
            let connection = try await LoadConnection.open(port: server.port, tls: tls)
            #expect(try await connection.send(LoadRequest("GET", "/")).status == 204)
            #expect(try await connection.send(LoadRequest("GET", "/")).status == 204)
            await connection.close()
            try await Self.authority { foreign in
                let stranger = try await LoadConnection.open(
                    port: server.port, tls: try LoadTLS(trusting: foreign.certificate))
                await #expect(throws: (any Error).self) { try await stranger.send(LoadRequest("GET", "/")) }
            }
        }
    }

    @Test func `a client that is far away waits a round trip for the handshake and one for the answer`() async throws {
        try await Self.serving { server, tls in
            let start = ContinuousClock.now
            let connection = try await LoadConnection.open(
                port: server.port, tls: tls, roundTrip: .milliseconds(100))
            #expect(try await connection.send(LoadRequest("GET", "/")).status == 204)
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            await connection.close()
        }
    }

    @Test func `a server answers the same first message as often as it comes`() async throws {
        try await Self.serving { server, tls in
            let hello = try tls.hello()
            // A handshake record with a ClientHello (RFC 8446 section 5.1 and 4).
            #expect(hello.first == 22 && hello.dropFirst(5).first == 1)
            let script = HostileScript(opening: hello)
            let plan = HostilePlan([script], count: 10, addresses: 2)
            try await HostileCrowd.run(plan, port: server.port) { tally in
                try await eventually("each is answered") { tally.answeredCount.load(ordering: .relaxed) == 10 }
                #expect(tally.readBytes.load(ordering: .relaxed) > 10 * 500)
            }
        }
    }

    @Test(arguments: [HostileScript.Reading.all, .nothing])
    func `a hostile client over TLS shakes hands and does what its script says`(
        reading: HostileScript.Reading
    ) async throws {
        try await Self.serving { server, tls in
            var script = HostileScript(repeated: Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8), repeats: 3)
            script.reading = reading
            var plan = HostilePlan([script], count: 5, addresses: 5)
            plan.tls = tls
            try await HostileCrowd.run(plan, port: server.port) { tally in
                try await eventually("all have sent all") {
                    tally.answeredCount.load(ordering: .relaxed) == 5
                        && tally.sentBytes.load(ordering: .relaxed) == 5 * 3 * script.repeated.count
                }
            }
        }
    }

    @Test func `what OpenSSL's client prints is read, and edges that choose alike are told from others`() throws {
        let first = """
            CONNECTED(00000003)
            Peer signing digest: SHA256
            Peer signature type: ECDSA
            Server Temp Key: X25519, 253 bits
            New, TLSv1.3, Cipher is TLS_AES_128_GCM_SHA256
            ---
            Post-Handshake New Session Ticket arrived:
            Post-Handshake New Session Ticket arrived:
            """
        let again = "CONNECTED(00000003)\nReused, TLSv1.3, Cipher is TLS_AES_128_GCM_SHA256\n"
        let agreed = try #require(AgreedTLS.parse(first, again: again))
        #expect(agreed.version == "TLSv1.3" && agreed.cipherSuite == "TLS_AES_128_GCM_SHA256")
        #expect(agreed.keyExchange == "X25519" && agreed.signature == "ECDSA")
        #expect(agreed.isResumed && agreed.ticketCount == 2)
        let other = try #require(AgreedTLS.parse(first.replacing("128", with: "256"), again: again))
        let unresumed = try #require(AgreedTLS.parse(first, again: first))
        #expect(!agreed.isLike(other) && !agreed.isLike(unresumed) && agreed.isLike(agreed))
        #expect(AgreedTLS.parse("CONNECTED(00000003)\nNew, (NONE), Cipher is (NONE)\n", again: "") == nil)
    }

    @Test func `a second of an edge's core is judged whatever pace the load sets`() {
        var rounds = HandshakeRounds()
        for (edge, cpu) in [("gateway", 250.0), ("haproxy", 125), ("envoy", 200)] {
            rounds.add(.init(cpuMicroseconds: cpu, perSecond: 3000, p99Milliseconds: 5), of: edge)
        }
        let figures = Dictionary(uniqueKeysWithValues: rounds.figures().map { ($0.name, $0) })
        #expect(figures["gateway.tls.handshakes.rate.to-haproxy"]?.meetsBound == true)
        #expect(figures["gateway.tls.handshakes.per-core.to-haproxy"]?.value == 0.5)
        #expect(figures["gateway.tls.handshakes.per-core.to-haproxy"]?.meetsBound == false)
        #expect(figures["gateway.tls.handshakes.busy.gateway"]?.value == 0.75)
    }

    /// Runs `body` with a server over TLS that answers everything with 204, and a client that trusts it.
    private static func serving(_ body: (LoopbackServer, LoadTLS) async throws -> Void) async throws {
        try await authority { authority in
            let pair = try await authority.issue("server", .init(names: [LoadTLS.serverName]))
            let server = try await LoopbackServer.start(tls: (pair.certificate, pair.key)) { _ in
                ServedAnswer(status: 204)
            }
            do {
                try await body(server, try LoadTLS(trusting: authority.certificate))
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
        }
    }

    private static func authority(_ body: (TestAuthority) async throws -> Void) async throws {
        try await ScratchFolder.run("tls-load") { folder in try await body(try await TestAuthority.make(in: folder)) }
    }
}
