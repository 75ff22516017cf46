import FoundationEssentials
import Glibc
import TestSupport

/// The gateway's memory: while large bodies pass through, with many idle connections, and after very many requests.
package struct EdgeMemoryBench: Sendable {
    package static let streamExtraMegabytesMax = 20.0
    package static let idleMegabytesMax = 200.0
    /// The maximum growth relative to the memory after the first million.
    package static let growthShareMax = 0.05
    private static let firstRequests = 1_000_000
    private static let chunkSeconds = 10
    private static let warmUpSeconds = 2
    private static let tokenCount = 1000
    /// Clients read and write large bodies at this rate, so that what the gateway keeps back shows.
    private static let clientRate = "50M"

    /// Connections that rest.
    package let connectionCount: Int
    /// Requests over which nothing may grow; 0 leaves that out.
    package let requestCount: Int

    package init(connectionCount: Int, requestCount: Int) {
        self.connectionCount = connectionCount
        self.requestCount = requestCount
    }

    /// - Parameter add: gets the figures of one part after the other.
    package func run(_ add: ([Figure]) throws -> Void) async throws {
        try await GatewayUnderLoad.run("bench-edge-memory") { gateway in
            let load = try await warmUp(gateway)
            try add(try await streams(gateway))
            if requestCount > 0 { try add(try await growth(gateway, load)) }
            try add(try await rest(gateway))
            try gateway.checkAlive()
        }
    }

    func warmUp(_ gateway: GatewayUnderLoad) async throws -> TokenLoad {
        let load = TokenLoad(core: GatewayUnderLoad.loadCore, folder: gateway.folder)
        try load.write(try await gateway.tokens.tokens(Self.tokenCount, series: "turn"), as: "turn")
        _ = try await load.run("turn", .inTurn, port: gateway.port, seconds: Self.warmUpSeconds).withoutFailures()
        return load
    }

    func streams(_ gateway: GatewayUnderLoad) async throws -> [Figure] {
        let token = try gateway.tokens.token(of: "stream")
        let curl = """
            curl -sf --limit-rate \(Self.clientRate) -H 'Authorization: Bearer \(token)' -w '%{size_upload} %{size_download}' \
            -o /dev/null http://127.0.0.1:\(gateway.port)
            """
        let bound = Figure.Bound.atMost(Self.streamExtraMegabytesMax)
        let up = try PeakMemory(of: gateway.process)
        let sent = try await gateway.shell("\(curl)\(NginxUpstream.uploadPath) -T '\(gateway.upstream.largeFile)'")
        guard sent.hasPrefix("\(NginxUpstream.largeBytes) ") else {
            throw UnexpectedReply(description: "upload: \(sent)")
        }
        let upload = Figure("edge-memory.upload.extra", try up.extra, .megabytes, bound: bound)
        let down = try PeakMemory(of: gateway.process)
        let got = try await gateway.shell(curl + NginxUpstream.largePath)
        guard got.hasSuffix(" \(NginxUpstream.largeBytes)") else {
            throw UnexpectedReply(description: "download: \(got)")
        }
        return [upload, Figure("edge-memory.download.extra", try down.extra, .megabytes, bound: bound)]
    }

    private func growth(_ gateway: GatewayUnderLoad, _ load: TokenLoad) async throws -> [Figure] {
        var count = 0
        var failures = 0
        var first: Double?
        var deviation = 0.0
        var last = 0.0
        while count < max(requestCount, Self.firstRequests) {
            let outcome = try await load.run("turn", .inTurn, port: gateway.port, seconds: Self.chunkSeconds)
            count += outcome.requestCount
            failures += outcome.failureCount
            guard count >= Self.firstRequests else { continue }
            last = try ProcessMemory(of: gateway.process).resident
            let base = first ?? last
            first = base
            deviation = max(deviation, abs(last - base) / base)
            Report.say("  \(count) requests: \(FigureText.number(last)) MB")
        }
        return [
            Figure("edge-memory.requests", Double(count), .count),
            Figure("edge-memory.failures", Double(failures), .count, bound: .atMost(0)),
            Figure("edge-memory.rss.first", first ?? 0, .megabytes),
            Figure("edge-memory.rss.last", last, .megabytes),
            Figure("edge-memory.rss.deviation", deviation, .count, bound: .atMost(Self.growthShareMax)),
        ]
    }

    func rest(_ gateway: GatewayUnderLoad) async throws -> [Figure] {
        let idle = try await IdleConnections.open(connectionCount, port: gateway.port)
        let memory = try ProcessMemory(of: gateway.process).resident
        let openCount = idle.openCount
        await idle.close()
        return [
            Figure("edge-memory.idle.count", Double(openCount), .count, bound: .atLeast(Double(connectionCount))),
            Figure("edge-memory.idle.rss", memory, .megabytes, bound: .atMost(Self.idleMegabytesMax)),
        ]
    }
}
