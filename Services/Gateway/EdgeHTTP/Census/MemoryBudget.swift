import CoreMetrics
package import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The greatest number of bytes that all connections together may make the gateway hold. At the bound the worst connections are
/// closed.
///
/// Each event loop counts its own connections and reports in steps, so that growth is noticed at once and an ordinary request
/// accesses nothing that other threads access.
package final class MemoryBudget: Sendable {
    /// The fill level of the budget.
    enum State: Sendable, Equatable {
        case ample
        /// Clients that send get smaller windows.
        case short
        /// Connections have to be closed.
        case exceeded
    }

    /// The bytes that an open connection costs at rest: its channel, handler, timer, places in tables, and a first receive buffer.
    /// Measured: 16,300 idle ones cost 64 MB (`deploy/bench attacks --only idle`).
    package static let connectionBytes = 4 * 1024
    /// The bytes that TLS adds to a connection, from its handshake on: the two buffers of `NIOSSLHandler`, for one record and for
    /// two, which never shrink. Parts of them that no large piece has used take no memory, which makes room for BoringSSL's state:
    /// `RssAnon` grew by 23.9 KB for each of 4,000 connections that had been served once, and by 34.6 KB for each of 1,500 of which
    /// 16,000 bytes of a ClientHello had arrived.
    static let tlsBytes = 48 * 1024
    /// The bytes that HTTP/2 adds to a connection with TLS: tables of compressed fields, counts of events, the handlers. Estimated
    /// from their types.
    static let http2Bytes = 16 * 1024
    /// The bytes that an open connection with TLS costs.
    package static let tlsConnectionBytes = connectionBytes + tlsBytes
    /// The step, in bytes, in which a loop reports changes.
    static let reportedBytes = 64 * 1024
    /// The percentage of the bound from which memory is short, and the one to which connections are closed at the bound.
    private static let shortPercent = 75
    private static let freedToPercent = 90

    let bytesMax: Int
    private let held = Atomic<Int>(0)
    private let isShedding = Atomic<Bool>(false)
    private let loops = Mutex<[NIOLoopBound<LoopCensus>]>([])
    private let eventLoops = Mutex<[any EventLoop]>([])
    private let heldGauge = Gauge(label: "auth_edge_memory_held_bytes")
    private let maxGauge = Gauge(label: "auth_edge_memory_max_bytes")
    private let freedMemory: FreedMemory
    private let logger: Logger?

    /// - Parameter logger: the logger for connections that were closed, and for loops that did not run.
    package init(bytesMax: Int, logger: Logger? = nil) {
        self.bytesMax = bytesMax
        self.logger = logger
        freedMemory = FreedMemory()
    }

    /// A budget without a bound, for tests of other things.
    static var unbounded: MemoryBudget { MemoryBudget(bytesMax: .max) }

    var heldBytes: Int { held.load(ordering: .relaxed) }
    var state: State { Self.state(held: heldBytes, max: bytesMax) }

    static func state(held: Int, max: Int) -> State {
        if held > max { return .exceeded }
        return held > max / 100 * shortPercent ? .short : .ample
    }

    /// Returns the number of bytes to free, which is 0 up to the bound.
    static func excess(held: Int, max: Int) -> Int { held > max ? held - max / 100 * freedToPercent : 0 }

    /// Returns the bytes of `excess` that one loop has to free, in proportion to its part of all bytes held.
    static func part(of excess: Int, holding bytes: Int, outOf held: Int) -> Int {
        guard held > 0, bytes > 0 else { return 0 }
        return Int((Double(excess) * Double(bytes) / Double(held)).rounded(.up))
    }

    func register(_ census: LoopCensus, of eventLoop: any EventLoop) {
        let bound = NIOLoopBound(census, eventLoop: eventLoop)
        loops.withLock { $0.append(bound) }
        eventLoops.withLock { $0.append(eventLoop) }
    }

    /// Logs that a loop did not run for so long.
    func loopDidStall(_ name: String, seconds: Int64) {
        logger?.warning(
            "edge.stalled",
            metadata: [
                "loop": "\(name)", "seconds": .stringConvertible(seconds),
                "hint": "the process was frozen, or the host suspended; requests from before get 503",
            ])
    }

    /// Notes that a loop's connections hold `delta` more bytes than before, or fewer if it is negative.
    func note(_ delta: Int) {
        let sum = held.add(delta, ordering: .relaxed).newValue
        if sum > bytesMax { shed() }
    }

    /// Records the bytes held and returns freed memory to the kernel. Each loop calls it once a second.
    func maintain() {
        heldGauge.record(heldBytes)
        maxGauge.record(bytesMax)
        freedMemory.maintain(held: heldBytes)
        if state == .exceeded { shed() }
    }

    /// Makes each loop close its worst connections, one round at a time. Connections with an ordinary request are closed once no
    /// loop has others: a loop may have nothing but those while another one has the connections that fill the memory.
    private func shed(sparesOrdinary: Bool = true) {
        guard isShedding.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return }
        let held = heldBytes
        let excess = Self.excess(held: held, max: bytesMax)
        let targets = zip(eventLoops.withLock { $0 }, loops.withLock { $0 })
        let rounds = targets.map { eventLoop, census in
            eventLoop.submit {
                census.value.shed(
                    Self.part(of: excess, holding: census.value.bytes, outOf: held), sparesOrdinary: sparesOrdinary)
            }
        }
        guard let first = rounds.first else { return isShedding.store(false, ordering: .releasing) }
        first.fold(Array(rounds.dropFirst())) { first.eventLoop.makeSucceededFuture($0 + $1) }
            .whenComplete { result in self.shedDidEnd(result, held: held, sparedOrdinary: sparesOrdinary) }
    }

    private func shedDidEnd(_ result: Result<Int, any Error>, held: Int, sparedOrdinary: Bool) {
        isShedding.store(false, ordering: .releasing)
        guard case .success(let count) = result else { return }
        if count > 0 {
            logger?.warning(
                "edge.memory.shed",
                metadata: [
                    "connections": .stringConvertible(count), "held.bytes": .stringConvertible(held),
                    "max.bytes": .stringConvertible(bytesMax),
                ])
        }
        // Connections may have grown meanwhile.
        if state == .exceeded, count > 0 || sparedOrdinary { shed(sparesOrdinary: count > 0) }
    }
}
