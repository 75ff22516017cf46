internal import NIOCore

/// What a connection makes the gateway and the kernel hold, as far as it is known.
struct ConnectionHoldings {
    /// Answers are asked for what is left of them in steps of this.
    private static let unsentStepBytes = 8 * 1024

    /// A connection that holds no more has no request under way, but perhaps the beginning of one.
    private static let restingBytesMax = MemoryBudget.connectionBytes + requestBytes
    /// Beside the bytes of a request: what deciding and answering it takes.
    fileprivate static let requestBytes = 2048

    /// Where it stands among its loop's.
    var position: Int?
    /// What the loop counts for it.
    var counted = 0
    /// In both queues of the sockets, when they were last looked at.
    var kernel = 0
    /// Written and not taken by the kernel: what it was, and what was written since.
    var unsent = 0
    var writtenSince = 0
    /// Sent to the upstream and not taken by the kernel.
    var unsentUpstream = 0
    /// A body that an endpoint's handler has.
    var body = 0
    /// Whether the client's window is bounded now.
    var hasSmallWindow = false
    /// Bytes read and written since the connection began.
    var readTotal = 0
    var writtenTotal = 0
    /// What the client had taken when its idle time ended last.
    var takenBefore = 0
    var rate = RateFloor()
    private var movedSinceLook = 0
    private var movedNow = 0
    private var movedBefore = 0

    /// Bytes that came or went in the last second or two.
    var moved: Int { movedNow &+ movedBefore }
    /// A connection on which little has moved since the last look holds what it held.
    var isWorthALook: Bool {
        movedSinceLook >= SocketMemory.countedFrom || kernel > 0 || counted > Self.restingBytesMax
    }
    var isUnsentUnknown: Bool { writtenSince >= Self.unsentStepBytes }

    mutating func didMove(_ count: Int) {
        movedNow &+= count
        movedSinceLook &+= count
    }

    mutating func didLook() { movedSinceLook = 0 }

    mutating func endSecond() {
        movedBefore = movedNow
        movedNow = 0
    }
}

extension ServerConnection {
    /// A client's window while memory is short, and afterwards again.
    private static let smallWindowBytes: Int32 = 16 * 1024
    private static let windowBytes: Int32 = 1 << 20

    /// Notes bytes that the client sent.
    func didRead(_ count: Int) {
        holdings.readTotal &+= count
        didMove(count)
    }

    /// Notes bytes that are written to the client.
    func didWrite(_ count: Int) {
        holdings.writtenSince &+= count
        holdings.writtenTotal &+= count
        didMove(count)
    }

    private func didMove(_ count: Int) {
        holdings.didMove(count)
        pools.holdings.didMove(count)
    }

    /// Tells the loop what the connection holds now.
    func noteHoldings() {
        guard holdings.position != nil else { return }
        if holdings.isUnsentUnknown { askUnsent() }
        if case .proxying(let exchange, _) = phase, !body.isDone || holdings.unsentUpstream > 0 {
            holdings.unsentUpstream = exchange.upstreamChannel.map(Self.unsentBytes) ?? 0
        }
        let held = heldBytes
        let delta = held - holdings.counted
        guard delta != 0 else { return }
        holdings.counted = held
        pools.holdings.change(by: delta)
    }

    private var heldBytes: Int {
        var bytes = MemoryBudget.connectionBytes + holdings.unsent + holdings.writtenSince + holdings.kernel
        bytes += inbound.storageCapacity
        switch phase {
        case .collecting(let body, _, _): bytes += body.storageCapacity
        case .handling: bytes += holdings.body
        case .proxying: bytes += holdings.unsentUpstream
        default: break
        }
        if let current { bytes += ConnectionHoldings.requestBytes + current.head.block.bytes.storageCapacity }
        return bytes
    }

    /// Asks how much of what was written the kernel has not taken.
    func askUnsent() {
        holdings.unsent = context.map { Self.unsentBytes(of: $0.channel) } ?? 0
        holdings.writtenSince = 0
    }

    private static func unsentBytes(of channel: any Channel) -> Int {
        do { return try channel.syncOptions?.getOption(.bufferedWritableBytes) ?? 0 } catch { return 0 }
    }

    /// Asks what the kernel holds; while memory is short the client may send less ahead.
    func look(isShort: Bool) {
        guard let channel = context?.channel else { return }
        holdings.didLook()
        askUnsent()
        var kernel = SocketMemory.queuedBytes(of: channel)
        if case .proxying(let exchange, _) = phase, let upstream = exchange.upstreamChannel {
            kernel += SocketMemory.queuedBytes(of: upstream)
        }
        holdings.kernel = kernel
        // The kernel lets a window grow again that once was bounded.
        if isShort != holdings.hasSmallWindow || kernel > Self.windowBytes {
            holdings.hasSmallWindow = isShort
            SocketMemory.setWindow(isShort ? Self.smallWindowBytes : Self.windowBytes, of: channel)
        }
        noteHoldings()
    }
}
