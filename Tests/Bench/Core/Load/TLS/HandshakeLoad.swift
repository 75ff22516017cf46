package import NIOCore
import NIOPosix

/// Full handshakes, each on a connection of its own that is ended as soon as it is made; several at once.
package struct HandshakeLoad: Sendable {
    private static let connectTimeout: TimeAmount = .seconds(2)

    package let port: Int
    /// Connections that are made at the same time, each lane's from an address of its own.
    package let laneCount: Int
    package let seconds: Double
    package let tls: LoadTLS
    /// How long one may take, the server's end of the connection included.
    let patience: TimeAmount

    package init(port: Int, laneCount: Int, seconds: Double, tls: LoadTLS, patience: TimeAmount = .seconds(5)) {
        self.port = port
        self.laneCount = laneCount
        self.seconds = seconds
        self.tls = tls
        self.patience = patience
    }

    /// The result of a run.
    package struct Outcome: Sendable, Equatable {
        /// Handshakes that were full, and whose last message the server has taken: it has ended the connection after it.
        package let count: Int
        /// The number of handshakes without a certificate, which resumed a session.
        package let resumedCount: Int
        /// Connections refused or broken, and ones that the server did not end.
        package let failureCount: Int
        package let seconds: Double
        /// From opening the connection until the handshake was through on our side.
        package let p99Milliseconds: Double
    }

    /// Begins handshakes for so many seconds, and waits for the last ones.
    package func run() async -> Outcome {
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        let ends = await withTaskGroup(of: [HandshakeEnd].self) { group in
            for lane in 0..<laneCount { group.addTask { await handshakes(from: Self.address(lane), until: end) } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        return Outcome(ends, seconds: (ContinuousClock.now - start) / .seconds(1))
    }

    private func handshakes(from address: String, until end: ContinuousClock.Instant) async -> [HandshakeEnd] {
        var ends: [HandshakeEnd] = []
        while ContinuousClock.now < end { ends.append(await handshake(from: address)) }
        return ends
    }

    private func handshake(from address: String) async -> HandshakeEnd {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let outcome = loop.makePromise(of: HandshakeEnd.self)
        let start = NIODeadline.now()
        do {
            let connecting = ClientBootstrap(group: loop).connectTimeout(Self.connectTimeout)
                .bind(to: try SocketAddress(ipAddress: address, port: 0))
                .channelInitializer { [tls, patience] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let witness = HandshakeWitness(since: start, patience, outcome)
                        let handler = try tls.handler { witness.didSeeCertificate() }
                        try channel.pipeline.syncOperations.addHandlers([handler, witness])
                    }
                }
                .connect(host: "127.0.0.1", port: port)
            // One that came to be tells its end itself.
            connecting.whenFailure { _ in outcome.succeed(.failed) }
            return try await outcome.futureResult.get()
        } catch {
            outcome.succeed(.failed)
            return .failed
        }
    }

    /// 127.0.1.1 and on.
    private static func address(_ lane: Int) -> String {
        let (third, fourth) = lane.quotientAndRemainder(dividingBy: 250)
        return "127.0.\(1 + third % 250).\(fourth + 1)"
    }
}

extension HandshakeLoad.Outcome {
    init(_ ends: [HandshakeEnd], seconds: Double) {
        let times = ends.compactMap(\.milliseconds).sorted()
        count = ends.count { if case .full = $0 { true } else { false } }
        resumedCount = ends.count { if case .resumed = $0 { true } else { false } }
        failureCount = ends.count - count - resumedCount
        self.seconds = seconds
        p99Milliseconds = Percentile.of(times, percent: 99) ?? 0
    }
}

/// The line by which a run in a process of its own tells what came of it.
extension HandshakeLoad.Outcome {
    private static let mark = "RESULT "

    package var line: String {
        "\(Self.mark)\(count) \(resumedCount) \(failureCount) \(seconds) \(p99Milliseconds)"
    }

    /// - Returns: nil if the line is not there.
    package init?(printed output: String) {
        let line = output.split(separator: "\n").last { $0.hasPrefix(Self.mark) }
        let numbers = (line ?? "").split(separator: " ").dropFirst()
        let counts = numbers.prefix(3).compactMap { Int($0) }
        let times = numbers.dropFirst(3).compactMap { Double($0) }
        guard counts.count == 3, times.count == 2 else { return nil }
        count = counts[0]
        resumedCount = counts[1]
        failureCount = counts[2]
        seconds = times[0]
        p99Milliseconds = times[1]
    }
}
