import NIOCore
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// An upstream that sends unrequested responses reaches a handful of other requests, and no more.
@Suite(.serialized, .timeLimit(.minutes(15))) struct DesynchronisedTests {
    private static let seconds = LongRun.isOn ? 120 : 1
    /// In two minutes with eight clients.
    private static let foreignMax = 5
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: [0, 200, 1000, 50_000])
    func `a second answer after a 204 reaches a handful of others' requests`(strayMicroseconds: Int64) async throws {
        let foreign = try await foreignAnswers(clients: 8, strayAfter: .microseconds(strayMicroseconds))
        #expect(foreign <= Self.foreignMax)
        LongRun.report("desynchronised after \(strayMicroseconds) us: \(foreign) foreign answers with 8 clients")
        guard LongRun.isOn else { return }
        let many = try await foreignAnswers(clients: 64, strayAfter: .microseconds(strayMicroseconds))
        LongRun.report("desynchronised after \(strayMicroseconds) us: \(many) foreign answers with 64 clients")
    }

    private func foreignAnswers(clients count: Int, strayAfter delay: TimeAmount) async throws -> Int {
        let upstream = try await DesynchronisingUpstream.start(host: "127.2.0.1", strayDelay: delay)
        var foreign = 0
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            var clients: [PathClient] = []
            for number in 0..<count {
                clients.append(try await PathClient.start(name: "\(number)", goneOneIn: 10, to: edge.address))
            }
            try await Task.sleep(for: .seconds(Self.seconds))
            for client in clients { await client.close() }
            let counts = clients.map(\.counts)
            #expect(counts.allSatisfy { $0.answers > 0 && $0.failures == 0 })
            foreign = counts.reduce(0) { $0 + $1.foreign }
        }
        await upstream.stop()
        return foreign
    }

    @Test func `bytes behind an answer end keep-alive, and the client gets the answer alone`() async throws {
        let upstream = try await RecordingUpstream.start { _, index in
            .reply(index == 0 ? RecordingUpstream.ok + RecordingUpstream.ok : RecordingUpstream.ok)
        }
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            for round in 1...5 {
                await client.send(Self.get)
                try await client.waitForAnswers(round)
            }
            #expect(client.answerCount == 5 && Set(client.statuses) == ["200"])
            #expect(upstream.connectionCount == 5)
            await client.close()
        }
        await upstream.stop()
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray", "x"])
    func `bytes on an idle connection end keep-alive for the address`(stray: String) async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            await client.send(Self.get + Self.get)
            try await client.waitForAnswers(2)
            #expect(upstream.connectionCount == 1)
            await upstream.sendUnasked(stray)
            for round in 3...6 {
                await client.send(Self.get)
                try await client.waitForAnswers(round)
            }
            #expect(client.answerCount == 6 && !client.received.contains("stray"))
            #expect(upstream.connectionCount == 5)
            await client.close()
        }
        await upstream.stop()
    }

    @Test func `a balancer's 408 on an idle connection is only a close`() async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            await client.send(Self.get)
            try await client.waitForAnswers(1)
            await upstream.sendUnasked("HTTP/1.0 408 Request Time-out\r\nConnection: close\r\n\r\n<html></html>")
            for round in 2...5 {
                await client.send(Self.get)
                try await client.waitForAnswers(round)
            }
            #expect(Set(client.statuses) == ["200"])
            #expect(upstream.connectionCount == 2)
            await client.close()
        }
        await upstream.stop()
    }

    @Test func `one address without keep-alive leaves the other replica its connections`() async throws {
        let one = try await RecordingUpstream.start { _, index in .reply(RecordingUpstream.ok + (index == 0 ? "x" : ""))
        }
        let two = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [one.endpoint, two.endpoint]) { edge in
            let client = try await edge.client()
            for round in 1...20 {
                await client.send(Self.get)
                try await client.waitForAnswers(round)
            }
            #expect(Set(client.statuses) == ["200"])
            #expect(one.connectionCount == one.requests.count)
            #expect(two.connectionCount == 1)
            await client.close()
        }
        await one.stop()
        await two.stop()
    }
}
