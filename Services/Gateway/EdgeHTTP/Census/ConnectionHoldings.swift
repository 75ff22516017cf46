import NIOCore

/// The memory that a connection makes the gateway and the kernel hold, as far as it is known.
struct ConnectionHoldings {
    /// The number of written bytes after which the kernel is asked how many are unsent.
    private static let unsentStepBytes = 8 * 1024
    /// The memory that deciding and answering a request takes besides its bytes.
    static let requestBytes = 2048
    /// The greatest window of a client while memory is short, and the one afterwards.
    private static let smallWindowBytes: Int32 = 16 * 1024
    private static let windowBytes: Int32 = 1 << 20

    /// Its position in the loop's list.
    var position: Int?
    /// The bytes that it holds as long as it is open, whatever it does.
    private(set) var fixedBytes = MemoryBudget.connectionBytes
    /// The bytes that the loop counts for it.
    private(set) var counted = 0
    /// The bytes in both queues of the sockets at the last look.
    private var kernel = 0
    /// The bytes written that the kernel had not accepted when it was last asked, and the bytes written since.
    private(set) var unsent = 0
    private var writtenSince = 0
    /// The bytes sent to the upstream that the kernel had not accepted.
    private var unsentUpstream = 0
    /// Whether the client's window is bounded now.
    private var hasSmallWindow = false
    /// The bytes read and written since the connection began.
    private(set) var readTotal = 0
    private var writtenTotal = 0
    /// The bytes that the client had accepted when its last idle period ended.
    private var takenBefore = 0
    private var rate = RateFloor()
    private var movedSinceLook = 0
    private var movedNow = 0
    private var movedBefore = 0

    /// The bytes transferred in the last second or two.
    var moved: Int { movedNow &+ movedBefore }
    /// Whether the kernel is worth asking. A connection that has transferred little since the last look holds what it held.
    var isWorthALook: Bool {
        // A connection that holds no more than that has no request under way, but may have the beginning of one.
        movedSinceLook >= SocketMemory.countedFrom || kernel > 0 || counted > fixedBytes + Self.requestBytes
    }
    /// Whether the client has not accepted all that was written, as far as it is known.
    var hasUntaken: Bool { kernel > 0 || unsent > 0 }

    /// The position of the connection when memory runs short.
    func order(standing: Standing) -> ClosingOrder {
        ClosingOrder(held: counted, moved: moved, fixed: fixedBytes, standing: standing)
    }

    /// Notes bytes that the client sent.
    mutating func didRead(_ count: Int) {
        readTotal &+= count
        didMove(count)
    }

    /// Notes bytes that were written to the client.
    mutating func didWrite(_ count: Int) {
        writtenSince &+= count
        writtenTotal &+= count
        didMove(count)
    }

    private mutating func didMove(_ count: Int) {
        movedNow &+= count
        movedSinceLook &+= count
    }

    /// Notes that a second of the loop has ended.
    mutating func endSecond() {
        movedBefore = movedNow
        movedNow = 0
    }

    /// Starts to judge the client's rate again, since another request has begun.
    mutating func beginRequest() { rate = RateFloor() }

    /// Adds bytes that the connection holds as long as it is open.
    mutating func addFixed(_ bytes: Int) { fixedBytes += bytes }

    /// Sets the counted bytes to zero, since the connection has left the loop's count.
    mutating func leave() { counted = 0 }

    // MARK: The bytes held

    /// Counts the bytes held again. If much was written since the last time, it asks the kernel for the unsent part.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that the connection and its request hold themselves.
    ///   - upstream: the connection that carries a request's body; `nil` if there is none.
    /// - Returns: how many more bytes are held than were counted.
    mutating func count(_ bytes: Int, on channel: (any Channel)?, upstream: (any Channel)?) -> Int {
        if writtenSince >= Self.unsentStepBytes { askUnsent(of: channel) }
        unsentUpstream = upstream.map(Self.unsentBytes) ?? 0
        let held = fixedBytes + unsent + writtenSince + kernel + bytes + unsentUpstream
        defer { counted = held }
        return held - counted
    }

    /// Whether the upstream's kernel had not accepted all of a body when it was last asked.
    var hasUnsentUpstream: Bool { unsentUpstream > 0 }

    /// Asks the kernel how many of the written bytes it has not accepted.
    mutating func askUnsent(of channel: (any Channel)?) {
        unsent = channel.map(Self.unsentBytes) ?? 0
        writtenSince = 0
    }

    /// Returns the written bytes that the kernel has not accepted.
    static func unsentBytes(of channel: any Channel) -> Int {
        do { return try channel.syncOptions?.getOption(.bufferedWritableBytes) ?? 0 } catch { return 0 }
    }

    /// Asks how many bytes the kernel holds on either side. While memory is short the client may send less ahead.
    mutating func look(at channel: any Channel, upstream: (any Channel)?, isShort: Bool) {
        movedSinceLook = 0
        askUnsent(of: channel)
        kernel = SocketMemory.queuedBytes(of: channel) + (upstream.map(SocketMemory.queuedBytes) ?? 0)
        // The kernel lets a window that was bounded grow again.
        if isShort != hasSmallWindow || kernel > Self.windowBytes {
            hasSmallWindow = isShort
            SocketMemory.setWindow(isShort ? Self.smallWindowBytes : Self.windowBytes, of: channel)
        }
    }

    // MARK: The client's rate

    /// Whether the client was too slow over some seconds in which only it was waited for.
    mutating func isTooSlow(_ awaited: RateFloor.Awaited?, on channel: (any Channel)?, bytesPerSecondMin: Int) -> Bool {
        let total = awaited == .answer ? takenBytes(on: channel) : readTotal
        return rate.isTooSlow(awaited, total: total, bytesPerSecondMin: bytesPerSecondMin)
    }

    /// Whether the client has accepted some of the waiting bytes since the last call.
    mutating func hasTakenMore(on channel: (any Channel)?) -> Bool {
        askUnsent(of: channel)
        let taken = takenBytes(on: channel)
        guard unsent > 0, taken > takenBefore else { return false }
        takenBefore = taken
        return true
    }

    /// Returns the bytes that the client's kernel has acknowledged since the connection began.
    private func takenBytes(on channel: (any Channel)?) -> Int {
        guard let channel else { return 0 }
        return writtenTotal - unsent - SocketMemory.unacknowledgedBytes(of: channel)
    }
}
