import FoundationEssentials
import NIOCore
import NIOSSL
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Upstreams over TLS: used like the others once they are believed, and sent nothing until then.
@Suite(.timeLimit(.minutes(5))) struct UpstreamTLSTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"

    /// Runs `body` with an authority of its own, and with how to believe it.
    private func withAuthority(_ body: (TestAuthority, UpstreamTLS) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString
        do {
            let authority = try await TestAuthority.make(in: folder)
            try await body(authority, try UpstreamTLS(authorities: authority.certificate))
        } catch {
            try FileManager.default.removeItem(atPath: folder)
            throw error
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Sends one request after the other on one connection.
    private func send(_ request: String, times: Int, to edge: LiveEdge) async throws -> RawClient {
        let client = try await edge.client()
        for round in 1...times {
            await client.send(request)
            try await client.waitForAnswers(round)
        }
        await client.close()
        return client
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func `requests share a connection, which asks for the upstream by its name`(version: TLSVersion) async throws {
        try await withAuthority { authority, tls in
            let certificate = try await authority.intermediate("between").issue("app", .init(names: ["localhost"]))
            let upstream = try await RecordingUpstream.start(
                host: "127.0.0.1", tls: try certificate.server(from: version, to: version))
            let url = "https://localhost:\(upstream.address.port ?? 0)"
            try await LiveEdge.run(upstreams: [url], upstreamTLS: tls) { edge in
                let client = try await send(Self.post, times: 20, to: edge)
                #expect(Set(client.statuses) == ["200"])
                #expect(upstream.requests.count == 20 && upstream.connectionCount == 1)
                #expect(upstream.serverNames == ["localhost"])
                #expect(upstream.requests.first?.head.contains("\r\nHost: localhost:") == true)
            }
            await upstream.stop()
        }
    }

    @Test func `an address is believed by the address that its certificate bears`() async throws {
        try await withAuthority { authority, tls in
            let certificate = try await authority.issue("app", .init(names: ["127.0.0.1"], key: .rsa2048))
            let upstream = try await RecordingUpstream.start(host: "127.0.0.1", tls: try certificate.server())
            try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamTLS: tls) { edge in
                let client = try await send(Self.get, times: 1, to: edge)
                #expect(client.statuses == ["200"] && upstream.serverNames == [nil])
            }
            await upstream.stop()
        }
    }

    @Test func `authorities that are read again count from the next connection on`() async throws {
        try await withAuthority { authority, read in
            let tls = try UpstreamTLS(
                authorities: try await TestAuthority.make("other", in: authority.folder).certificate)
            let certificate = try await authority.issue("app", .init(names: ["127.0.0.1"]))
            let upstream = try await RecordingUpstream.start(host: "127.0.0.1", tls: try certificate.server())
            try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamTLS: tls) { edge in
                let refused = try await send(Self.get, times: 1, to: edge)
                #expect(refused.statuses != ["200"] && upstream.requests.isEmpty)
                tls.use(read)
                try await eventually("the upstream is believed") {
                    try await send(Self.get, times: 1, to: edge).statuses == ["200"]
                }
            }
            await upstream.stop()
        }
    }

    // MARK: Who is not believed

    /// The flaws of an upstream's certificate.
    enum Fault: String, CaseIterable, Sendable {
        case certificateExpired = "certificate_expired"
        case certificateNotYetValid = "certificate_not_yet_valid"
        case otherName = "other_name"
        case otherAuthority = "other_authority"
        case plainHTTP = "handshake_failed"

        /// The words of the log about the certificate.
        var words: String {
            switch self {
            case .certificateExpired: "certificate=expired at 20"
            case .certificateNotYetValid: "certificate=not valid before 20"
            case .otherName: "certificate=only for other.example "
            case .otherAuthority: "certificate=not signed by a trusted authority"
            case .plainHTTP: ""
            }
        }

        func server(by authority: TestAuthority) async throws -> NIOSSLContext? {
            switch self {
            case .certificateExpired: try await authority.issue("app", .expired).server()
            case .certificateNotYetValid: try await authority.issue("app", .init(beginsAfterSeconds: 3600)).server()
            case .otherName: try await authority.issue("app", .otherName).server()
            case .otherAuthority: try await TestAuthority.make("foreign", in: authority.folder).issue("app").server()
            case .plainHTTP: nil
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func `one that cannot be believed is sent nothing, and is one line however many ask`(fault: Fault) async throws {
        try await withAuthority { authority, tls in
            let upstream = try await RecordingUpstream.start(
                host: "127.0.0.1", tls: try await fault.server(by: authority)
            ) { _, _ in .reply("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n") }
            let log = TestLog()
            let url = "https://localhost:\(upstream.address.port ?? 0)"
            try await LiveEdge.run(upstreams: [url], upstreamTLS: tls, log: log) { edge in
                let client = try await send(Self.post, times: 3, to: edge)
                #expect(client.received.components(of: "unreachable") == 3, "\(client.received)")
                // An upstream without TLS sees a handshake, and nothing of the request.
                #expect(upstream.requests.allSatisfy { !$0.head.contains("POST") })
            }
            let lines = log.lines.filter { $0.hasPrefix("upstream.failed ") }
            let reason = fault == .plainHTTP ? fault.rawValue : "untrusted_certificate"
            #expect(
                lines.count == 1 && lines[0].contains("detail=\(fault.rawValue) ")
                    && lines[0].contains(" reason=\(reason) ")
                    && (fault.words.isEmpty || lines[0].contains(fault.words)), "\(log.lines)")
            await upstream.stop()
        }
    }

    @Test func `an address is not believed by the name that stands for it`() async throws {
        try await withAuthority { authority, tls in
            let certificate = try await authority.issue("app", .init(names: ["localhost", "127.0.0.2"]))
            let upstream = try await RecordingUpstream.start(host: "127.0.0.1", tls: try certificate.server())
            let log = TestLog()
            try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamTLS: tls, log: log) { edge in
                let client = try await send(Self.get, times: 1, to: edge)
                #expect(client.received.hasSuffix("unreachable") && upstream.requests.isEmpty)
            }
            #expect(log.lines.contains { $0.contains("detail=other_name ") }, "\(log.lines)")
            await upstream.stop()
        }
    }

    @Test func `an upstream that accepts and says nothing is given up in time`() async throws {
        try await withAuthority { _, tls in
            let upstream = try await RecordingUpstream.start(host: "127.0.0.1") { _, _ in .nothing }
            var limits = UpstreamLimits()
            limits.handshakeMilliseconds = 200
            let log = TestLog()
            let url = "https://localhost:\(upstream.address.port ?? 0)"
            try await LiveEdge.run(upstreams: [url], upstreamLimits: limits, upstreamTLS: tls, log: log) { edge in
                let client = try await send(Self.get, times: 1, to: edge)
                #expect(client.received.hasSuffix("unreachable"))
                try await eventually("nothing is left of it") { upstream.openCount == 0 }
            }
            let lines = log.lines.filter { $0.hasPrefix("upstream.failed ") }
            #expect(lines.contains { $0.contains(" reason=connect_timed_out ") }, "\(log.lines)")
            await upstream.stop()
        }
    }

    @Test func `a closed port and an unknown name are said, once a minute`() async throws {
        let gone = try await RecordingUpstream.start(host: "127.0.0.1")
        await gone.stop()
        var limits = UpstreamLimits()
        limits.waitMilliseconds = 200
        for (url, word) in [
            (gone.endpoint, "connection_refused"), ("http://nowhere.invalid:80", "name_not_found"),
        ] {
            let log = TestLog()
            try await LiveEdge.run(upstreams: [url], upstreamLimits: limits, log: log) { edge in
                _ = try await send(Self.get, times: 2, to: edge)
            }
            let lines = log.lines.filter { $0.hasPrefix("upstream.failed ") }
            #expect(lines.count == 1 && lines[0].contains(" reason=\(word) "), "\(log.lines)")
        }
    }

    @Test func `a replica that cannot be believed is passed over for one that can`() async throws {
        try await withAuthority { authority, tls in
            let bad = try await RecordingUpstream.start(
                host: "127.0.0.1", tls: try await authority.issue("bad", .expired).server())
            let good = try await RecordingUpstream.start(
                host: "127.0.0.1", tls: try await authority.issue("good").server())
            try await LiveEdge.run(upstreams: [bad.endpoint, good.endpoint], upstreamTLS: tls) { edge in
                let client = try await send(Self.post, times: 20, to: edge)
                #expect(Set(client.statuses) == ["200"])
                #expect(bad.requests.isEmpty && good.requests.count == 20)
            }
            await bad.stop()
            await good.stop()
        }
    }

    @Test func `a file without certificates is refused by its name`() async throws {
        try await withAuthority { authority, _ in
            let key = try await authority.issue("app").key
            for file in [key, "/nowhere.pem"] {
                let problem = #expect(throws: UpstreamTLS.Problem.self) { try UpstreamTLS(authorities: file) }
                #expect(problem?.description.contains(file) == true)
            }
        }
    }
}

extension UpstreamTLSTests {
    // MARK: Ends of connections

    @Test func `a POST after the upstream closed its idle connections goes on a new one`() async throws {
        try await withAuthority { authority, tls in
            let upstream = try await RecordingUpstream.start(
                host: "127.0.0.1", tls: try await authority.issue("app").server())
            try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamTLS: tls) { edge in
                let client = try await edge.client()
                for round in 1...50 {
                    await client.send(Self.post)
                    try await client.waitForAnswers(round)
                    await upstream.closeConnections()
                }
                #expect(Set(client.statuses) == ["200"] && upstream.requests.count == 50)
                await client.close()
            }
            await upstream.stop()
        }
    }

    @Test func `a farewell that comes with an answer costs no request`() async throws {
        try await withAuthority { authority, tls in
            let upstream = try await RecordingUpstream.start(
                host: "127.0.0.1", tls: try await authority.issue("app").server()
            ) { _, _ in .replyThenClose(RecordingUpstream.ok) }
            let log = TestLog()
            try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamTLS: tls, log: log) { edge in
                let client = try await send(Self.post, times: 50, to: edge)
                #expect(Set(client.statuses) == ["200"] && upstream.requests.count == 50)
            }
            #expect(log.lines.isEmpty, "\(log.lines)")
            await upstream.stop()
        }
    }

    @Test func `an answer that lasts until the end is whole only with the farewell`() async throws {
        try await withAuthority { authority, tls in
            let text = "HTTP/1.1 200 OK\r\n\r\nhalf"
            let upstream = try await RecordingUpstream.start(
                host: "127.0.0.1", tls: try await authority.issue("app").server()
            ) { _, index in index == 0 ? .replyThenClose(text) : .replyThenCut(text) }
            try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamTLS: tls) { edge in
                let whole = try await edge.client()
                await whole.send(Self.get)
                try await eventually("the last chunk") { whole.received.hasSuffix("half\r\n0\r\n\r\n") }
                let cut = try await edge.answer(to: Self.get)
                #expect(cut.contains("half") && !cut.hasSuffix("0\r\n\r\n"))
                await whole.close()
            }
            await upstream.stop()
        }
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray", "x"])
    func `bytes on an idle connection end keep-alive for the address`(stray: String) async throws {
        try await withAuthority { authority, tls in
            let upstream = try await RecordingUpstream.start(
                host: "127.0.0.1", tls: try await authority.issue("app").server())
            let log = TestLog()
            try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamTLS: tls, log: log) { edge in
                let client = try await edge.client()
                await client.send(Self.get + Self.get)
                try await client.waitForAnswers(2)
                let before = upstream.connectionCount
                await upstream.sendUnasked(stray)
                for round in 3...6 {
                    await client.send(Self.get)
                    try await client.waitForAnswers(round)
                }
                #expect(client.answerCount == 6 && !client.received.contains("stray"))
                #expect(upstream.connectionCount == before + 4)
                try await eventually("it is said") { log.lines.contains { $0.hasPrefix("upstream.desynchronised") } }
                await client.close()
            }
            await upstream.stop()
        }
    }

    @Test func `a client that goes away in the midst of an answer ends it upstream too, and nobody is blamed`()
        async throws
    {
        try await withAuthority { authority, tls in
            let upstream = try await RecordingUpstream.start(
                host: "127.0.0.1", tls: try await authority.issue("app").server()
            ) { _, index in index == 0 ? .stream(byteCount: 64 << 20) : .reply(RecordingUpstream.ok) }
            let log = TestLog()
            try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamTLS: tls, log: log) { edge in
                let leaving = try await edge.client(reads: false)
                await leaving.send(Self.get)
                try await eventually("the answer is on its way") { upstream.requests.count == 1 }
                try await Task.sleep(for: .milliseconds(100))
                await leaving.close()
                try await eventually("the upstream is let go") { upstream.openCount == 0 }
                let client = try await send(Self.get, times: 5, to: edge)
                #expect(Set(client.statuses) == ["200"])
            }
            #expect(log.lines.isEmpty, "\(log.lines)")
            await upstream.stop()
        }
    }

    @Test func `long bodies arrive whole in both directions`() async throws {
        try await withAuthority { authority, tls in
            let upstream = try await RecordingUpstream.start(
                host: "127.0.0.1", tls: try await authority.issue("app").server()
            ) { _, _ in .stream(byteCount: 4 << 20) }
            try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamTLS: tls) { edge in
                let client = try await edge.client()
                let count = 4 << 20
                await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
                await client.send(ByteBuffer(repeating: 0x62, count: count))
                try await eventually("all of the answer") { client.receivedCount > count }
                try await eventually("no more than the answer") { client.received.hasSuffix("aaaa") }
                #expect(upstream.requests.first?.body.readableBytes == count)
                await client.close()
            }
            await upstream.stop()
        }
    }
}
