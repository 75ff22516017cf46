import NIOCore

/// What a connection makes the gateway and the kernel hold, as far as it is known.
struct ConnectionHoldings {
    /// Answers are asked for what is left of them in steps of this.
    private static let unsentStepBytes = 8 * 1024
    /// Beside the bytes of a request: what deciding and answering it takes.
    static let requestBytes = 2048
    /// A client's window while memory is short, and afterwards again.
    private static let smallWindowBytes: Int32 = 16 * 1024
    private static let windowBytes: Int32 = 1 << 20

    /// Where it stands among its loop's.
    var position: Int?
    /// What it holds as long as it is open, whatever it does.
    private(set) var fixedBytes = MemoryBudget.connectionBytes
    /// What the loop counts for it.
    private(set) var counted = 0
    /// In both queues of the sockets, when they were last looked at.
    private var kernel = 0
    /// Written and not taken by the kernel: what it was, and what was written since.
    private(set) var unsent = 0
    private var writtenSince = 0
    /// Sent to the upstream and not taken by the kernel.
    private var unsentUpstream = 0
    /// Whether the client's window is bounded now.
    private var hasSmallWindow = false
    /// Bytes read and written since the connection began.
    private(set) var readTotal = 0
    private var writtenTotal = 0
    /// What the client had taken when its idle time ended last.
    private var takenBefore = 0
    private var rate = RateFloor()
    private var movedSinceLook = 0
    private var movedNow = 0
    private var movedBefore = 0

    /// Bytes that came or went in the last second or two.
    var moved: Int { movedNow &+ movedBefore }
    /// A connection on which little has moved since the last look holds what it held.
    var isWorthALook: Bool {
        // With no more than that it has no request under way, but perhaps the beginning of one.
        movedSinceLook >= SocketMemory.countedFrom || kernel > 0 || counted > fixedBytes + Self.requestBytes
    }
    /// Whether the client has not taken all that was written, as far as it is known.
    var hasUntaken: Bool { kernel > 0 || unsent > 0 }

    /// Notes bytes that the client sent.
    mutating func didRead(_ count: Int) {
        readTotal &+= count
        didMove(count)
    }

    /// Notes bytes that are written to the client.
    mutating func didWrite(_ count: Int) {
        writtenSince &+= count
        writtenTotal &+= count
        didMove(count)
    }

    private mutating func didMove(_ count: Int) {
        movedNow &+= count
        movedSinceLook &+= count
    }

    /// A second of the loop has ended.
    mutating func endSecond() {
        movedBefore = movedNow
        movedNow = 0
    }

    /// Another request has begun: its client's rate is judged anew.
    mutating func beginRequest() { rate = RateFloor() }

    /// The connection holds so much more as long as it is open.
    mutating func addFixed(_ bytes: Int) { fixedBytes += bytes }

    /// Nothing is counted for the connection any more.
    mutating func leave() { counted = 0 }

    // MARK: What is held

    /// Counts anew what is held; asks the kernel for what is not sent yet if much was written since.
    ///
    /// - Parameters:
    ///   - bytes: what the connection and its request hold themselves.
    ///   - upstream: the connection on which a request's body goes on; nil when none does.
    /// - Returns: how much more is held than was counted.
    mutating func count(_ bytes: Int, on channel: (any Channel)?, upstream: (any Channel)?) -> Int {
        if writtenSince >= Self.unsentStepBytes { askUnsent(of: channel) }
        unsentUpstream = upstream.map(Self.unsentBytes) ?? 0
        let held = fixedBytes + unsent + writtenSince + kernel + bytes + unsentUpstream
        defer { counted = held }
        return held - counted
    }

    /// Whether the upstream's kernel had not taken all of a body when it was last asked.
    var hasUnsentUpstream: Bool { unsentUpstream > 0 }

    /// Asks how much of what was written the kernel has not taken.
    mutating func askUnsent(of channel: (any Channel)?) {
        unsent = channel.map(Self.unsentBytes) ?? 0
        writtenSince = 0
    }

    private static func unsentBytes(of channel: any Channel) -> Int {
        do { return try channel.syncOptions?.getOption(.bufferedWritableBytes) ?? 0 } catch { return 0 }
    }

    /// Asks what the kernel holds on either side; while memory is short the client may send less ahead.
    mutating func look(at channel: any Channel, upstream: (any Channel)?, isShort: Bool) {
        movedSinceLook = 0
        askUnsent(of: channel)
        kernel = SocketMemory.queuedBytes(of: channel) + (upstream.map(SocketMemory.queuedBytes) ?? 0)
        // The kernel lets a window grow again that once was bounded.
        if isShort != hasSmallWindow || kernel > Self.windowBytes {
            hasSmallWindow = isShort
            SocketMemory.setWindow(isShort ? Self.smallWindowBytes : Self.windowBytes, of: channel)
        }
    }

    // MARK: How fast the client is

    /// Whether the client was too slow with what it alone is waited for, over some seconds.
    mutating func isTooSlow(_ awaited: RateFloor.Awaited?, on channel: (any Channel)?, bytesPerSecondMin: Int) -> Bool {
        let total = awaited == .answer ? takenBytes(on: channel) : readTotal
        return rate.isTooSlow(awaited, total: total, bytesPerSecondMin: bytesPerSecondMin)
    }

    /// Whether the client has taken some of what waits for it since this was last asked.
    mutating func hasTakenMore(on channel: (any Channel)?) -> Bool {
        askUnsent(of: channel)
        let taken = takenBytes(on: channel)
        guard unsent > 0, taken > takenBefore else { return false }
        takenBefore = taken
        return true
    }

    /// Bytes that the client's kernel has acknowledged since the connection began.
    private func takenBytes(on channel: (any Channel)?) -> Int {
        guard let channel else { return 0 }
        return writtenTotal - unsent - SocketMemory.unacknowledgedBytes(of: channel)
    }
}
