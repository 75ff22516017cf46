import Glibc
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import EdgeHTTP

/// Connections over TLS that rest.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RestingTLSTests {
    private static let count = 40
    /// Each answer has 8 kB, and two go out together.
    private static let paths = (0..<4).map { "/own/\($0)" }
    private static let requests = paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()

    @Test func `a connection that rests gives back what large answers took, and is served again`() async throws {
        let budget = MemoryBudget(bytesMax: 64 << 20)
        try await EdgeCertificates.run { certificates in
            try await LiveEdge.run(upstreams: [], budget: budget, certificates: certificates.certificates) { live in
                let address = try #require(live.tlsAddress)
                let tls = try certificates.client()
                var clients: [RawClient] = []
                for _ in 0..<Self.count { clients.append(try await RawClient.connect(to: address, tls: tls)) }
                let fixed = Self.count * MemoryBudget.tlsConnectionBytes
                for _ in 1...2 {
                    for client in clients { await client.send(Self.requests) }
                    try await eventually("it is counted", every: .milliseconds(1)) {
                        budget.heldBytes > fixed + 3 * MemoryBudget.reportedBytes
                    }
                    // Both buffers of each lie there.
                    #expect(RecordPages.lent.withLock(\.count) >= 2 * Self.count)
                    try await eventually("it is given back") {
                        abs(budget.heldBytes - fixed) <= 2 * MemoryBudget.reportedBytes
                    }
                    try await eventually("the kernel has it") { Self.residentPlaces() < Self.count / 2 }
                }
                for client in clients {
                    try await client.waitForAnswers(2 * Self.paths.count)
                    #expect(Padded.paths(in: client.received) == Self.paths + Self.paths)
                    await client.close()
                }
            }
        }
    }

    /// How many buffers begin in a page that is in memory.
    private static func residentPlaces() -> Int {
        RecordPages.lent.withLock { Array($0.keys) }
            .count { address in
                var state: UInt8 = 0
                let start = unsafe UnsafeMutableRawPointer(bitPattern: address)
                return unsafe mincore(start, 1, &state) == 0 && state & 1 == 1
            }
    }

    /// Without a look at what is not sent it would be made zeros, and the client would find the record spoiled.
    @Test func `what a client has not taken stays while nothing moves`() async throws {
        let byteCount = 24 << 20
        try await EdgeCertificates.run { certificates in
            let upstream = try await RecordingUpstream.start { _, _ in .stream(byteCount: byteCount) }
            try await LiveEdge.run(upstreams: [upstream.endpoint], certificates: certificates.certificates) { live in
                let client = try await RawClient.connect(
                    to: try #require(live.tlsAddress), tls: try certificates.client())
                // Its handler's buffer is still the one in the pages, until the first record that has to wait.
                await client.send("GET /own/0 HTTP/1.1\r\nHost: a\r\n\r\n")
                try await client.waitForAnswers(1)
                try await client.setReading(false)
                await client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
                try await Task.sleep(for: .seconds(4))
                #expect(client.receivedCount < byteCount)
                try await client.setReading(true)
                try await eventually("all of it") { client.receivedCount > byteCount }
                await client.close()
            }
            await upstream.stop()
        }
    }
}
