import NIOCore
import NIOPosix
import Synchronization

/// The bytes that a crowd has sent and read so far.
final class HostileTally: Sendable {
    let sentBytes = Atomic<Int>(0)
    let readBytes = Atomic<Int>(0)
    /// Connections that are open now, and the most that were.
    let openCount = Atomic<Int>(0)
    let openMost = Atomic<Int>(0)
    /// The number of connections on which the server has responded, over TLS with a whole handshake.
    let answeredCount = Atomic<Int>(0)

    func didOpen() {
        let now = openCount.add(1, ordering: .relaxed).newValue
        openMost.max(now, ordering: .relaxed)
    }
}

/// Hostile connections to one port, on a separate thread, so that their work is not part of any measured time.
final class HostileCrowd: Sendable {
    private static let tick: TimeAmount = .milliseconds(20)
    private static let ticksPerSecond = 50
    /// That are being opened at once.
    private static let openingMax = 200

    let tally = HostileTally()
    private let plan: HostilePlan
    private let port: Int
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let state = Mutex(State())

    private struct State: Sendable {
        var opened = 0
        var opening = 0
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isOver = false
    }

    private init(_ plan: HostilePlan, port: Int) {
        (self.plan, self.port) = (plan, port)
    }

    /// Runs `body` while the crowd is at work, and ends all of it on every path.
    static func run<Value: Sendable>(
        _ plan: HostilePlan, port: Int, _ body: (HostileTally) async throws -> Value
    ) async throws -> Value {
        let crowd = HostileCrowd(plan, port: port)
        let opening = crowd.group.next().scheduleRepeatedTask(initialDelay: .zero, delay: tick) { _ in crowd.open() }
        return try await finally {
            try await body(crowd.tally)
        } end: {
            opening.cancel()
            try await crowd.end()
        }
    }

    /// Opens as many as are missing, within the rate.
    private func open() {
        let (first, count) = state.withLock { state in
            let present = plan.reopens ? state.channels.count + state.opening : state.opened
            let wanted = min(plan.count - present, Self.openingMax - state.opening)
            let count = state.isOver ? 0 : min(max(wanted, 0), max(plan.opensPerSecond / Self.ticksPerSecond, 1))
            defer {
                state.opened += count
                state.opening += count
            }
            return (state.opened, count)
        }
        for number in first..<first + count {
            connect(number).assumeIsolated().whenComplete { result in self.didConnect(result) }
        }
    }

    private func connect(_ number: Int) -> EventLoopFuture<any Channel> {
        let script = plan.script(number)
        let (tally, tls) = (tally, plan.tls)
        do {
            return try LoadConnection.channel(to: port, from: plan.address(number), on: group) { bootstrap in
                guard script.reading != .all else { return bootstrap }
                let unread = bootstrap.channelOption(ChannelOptions.autoRead, value: false)
                guard case .slowly(let bytesPerSecond) = script.reading else { return unread }
                let piece = max(bytesPerSecond / HostileConnection.readsPerSecond, 1)
                return unread.channelOption(ChannelOptions.maxMessagesPerRead, value: 1).channelOption(
                    ChannelOptions.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: piece))
            } _: { channel in
                if let tls { try channel.pipeline.syncOperations.addHandler(tls.handler()) }
                try channel.pipeline.syncOperations.addHandler(
                    HostileConnection(script, isOverTLS: tls != nil, tally: tally))
            }
        } catch { return group.next().makeFailedFuture(error) }
    }

    private func didConnect(_ result: Result<any Channel, any Error>) {
        guard case .success(let channel) = result else {
            return state.withLock { $0.opening -= 1 }
        }
        let isOver = state.withLock { state in
            state.opening -= 1
            state.channels[ObjectIdentifier(channel)] = channel
            return state.isOver
        }
        tally.didOpen()
        channel.closeFuture.whenComplete { _ in
            self.tally.openCount.subtract(1, ordering: .relaxed)
            self.state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
        }
        if isOver { channel.close(promise: nil) }
    }

    private func end() async throws {
        let channels = state.withLock { state in
            state.isOver = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.close(promise: nil) }
        for channel in channels {
            // One that ended with an error has ended.
            do { try await channel.closeFuture.get() } catch { continue }
        }
        try await group.shutdownGracefully()
    }
}
