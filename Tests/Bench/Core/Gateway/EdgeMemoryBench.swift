import FoundationEssentials
import TestSupport

/// The gateway's memory: while large bodies pass through, with many idle connections, and after very many requests.
struct EdgeMemoryBench: Sendable {
    private static let streamExtraMegabytesMax = 20.0
    private static let idleMegabytesMax = 200.0
    /// The maximum growth relative to the memory after the first million.
    private static let growthShareMax = 0.05
    private static let firstRequests = 1_000_000
    private static let chunkSeconds = 10
    private static let warmUpSeconds = 2
    private static let tokenCount = 1000
    /// Clients read and write large bodies at this rate, so that what the gateway keeps back shows.
    private static let clientRate = "50M"

    /// Idle connections.
    let connectionCount: Int
    /// Requests over which nothing may grow; 0 leaves that out.
    let requestCount: Int

    func run(of build: Build = .own) async throws -> [Figure] {
        try await GatewayUnderLoad.run("bench-edge-memory", build: build) { gateway in
            let load = TokenLoad(folder: gateway.folder)
            try load.write(try await gateway.tokens.tokens(Self.tokenCount, series: "turn"), as: "turn")
            _ = try await load.run("turn", .inTurn, port: gateway.port, seconds: Self.warmUpSeconds).withoutFailures()
            var figures = try await streams(gateway)
            if requestCount > 0 { figures += try await growth(gateway, load) }
            figures += try await idle(gateway)
            try gateway.checkAlive()
            return figures.under("edge-memory")
        }
    }

    /// This build's memory by its own bounds, and what it holds more than another's; a fresh gateway in each round.
    ///
    /// Without the memory after many requests, which takes too long for pairs.
    func run(against other: Build, pairs count: Int, _ bounds: [String: Double]) async throws -> [Figure] {
        let short = EdgeMemoryBench(connectionCount: connectionCount, requestCount: 0)
        let pairs = try await Pairs.run(count) { _ in
            try await short.run()
        } theirs: { _ in
            try await short.run(of: other)
        }
        return Rounds.spread(pairs.ours) + pairs.worse(bounds).under("against")
    }

    private func streams(_ gateway: GatewayUnderLoad) async throws -> [Figure] {
        let curl = """
            curl -sf --limit-rate \(Self.clientRate) -w '%{size_upload} %{size_download}' -o /dev/null \
            -H 'Authorization: Bearer \(try gateway.tokens.token(of: "stream"))' http://127.0.0.1:\(gateway.port)
            """
        let (whole, file) = ("\(NginxUpstream.largeBytes)", gateway.upstream.largeFile)
        return [
            try await extra("upload.extra", gateway, "\(curl)\(NginxUpstream.uploadPath) -T '\(file)'") {
                $0.hasPrefix(whole + " ")
            },
            try await extra("download.extra", gateway, curl + NginxUpstream.largePath) { $0.hasSuffix(" " + whole) },
        ]
    }

    private func extra(
        _ name: String, _ gateway: GatewayUnderLoad, _ command: String, isWhole: (String) -> Bool
    ) async throws -> Figure {
        let extra = try await ProcessMemory.extra(of: gateway.process) {
            let sizes = try await gateway.shell(command)
            guard isWhole(sizes) else { throw UnexpectedReply(description: "\(name): \(sizes)") }
        }
        return Figure(name, extra, .megabytes, bound: .atMost(Self.streamExtraMegabytesMax))
    }

    private func growth(_ gateway: GatewayUnderLoad, _ load: TokenLoad) async throws -> [Figure] {
        var (count, failures) = (0, 0)
        var memory: [Double] = []
        while count < max(requestCount, Self.firstRequests) {
            let outcome = try await load.run("turn", .inTurn, port: gateway.port, seconds: Self.chunkSeconds)
            count += outcome.requestCount
            failures += outcome.failureCount
            guard count >= Self.firstRequests else { continue }
            memory.append(try ProcessMemory.resident(gateway.process))
            Report.say("  \(count) requests: \(Figure.text(memory.last ?? 0)) MB")
        }
        let (first, last) = (memory.first ?? 0, memory.last ?? 0)
        let deviation = memory.map { abs($0 - first) / first }.max() ?? 0
        return [
            Figure("requests", Double(count), .count),
            Figure("failures", Double(failures), .count, bound: .atMost(0)),
            Figure("rss.first", first, .megabytes), Figure("rss.last", last, .megabytes),
            Figure("rss.deviation", deviation, .count, bound: .atMost(Self.growthShareMax)),
        ]
    }

    private func idle(_ gateway: GatewayUnderLoad) async throws -> [Figure] {
        try await IdleConnections.run(connectionCount, at: gateway.edge) { count in
            [
                Figure("idle.count", Double(count()), .count, bound: .atLeast(Double(connectionCount))),
                Figure(
                    "idle.rss", try ProcessMemory.resident(gateway.process), .megabytes,
                    bound: .atMost(Self.idleMegabytesMax)),
            ]
        }
    }
}

/// Connections that have been served once and then are idle.
enum IdleConnections {
    private static let perAddressMax = 1500
    /// Opened at a time.
    private static let batch = 100

    /// Runs `body` with `count` connections from as many loopback addresses as the limit by address asks for, each with one
    /// request that is answered with 200.
    ///
    /// - Parameters:
    ///   - token: with it the app's API is called, which every edge passes on; without one the gateway's own key set.
    ///   - body: may ask how many the server has not closed.
    static func run<Value: Sendable>(
        _ count: Int, at edge: EdgeUnderTest, token: String? = nil, _ body: (() -> Int) async throws -> Value
    ) async throws -> Value {
        let request = LoadRequest.get(token == nil ? "/.well-known/jwks.json" : NginxUpstream.smallPath, bearer: token)
        var opened: [LoadConnection] = []
        for start in stride(from: 0, to: count, by: batch) {
            opened += try await concurrently(min(batch, count - start)) { number in
                let address = "127.0.0.\(2 + (start + number) / perAddressMax)"
                let connection = try await LoadConnection.open(port: edge.port, from: address, tls: edge.tls)
                try await connection.send(request, expecting: 200)
                return connection
            }
        }
        let connections = opened
        return try await finally {
            try await body { connections.count(where: \.isOpen) }
        } end: {
            for connection in connections { await connection.close() }
        }
    }
}
