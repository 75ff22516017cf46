import CoreMetrics
import NIOCore
import Policies
import Synchronization

/// The open connections of the process. They are counted by client, so that no client takes all of them, taken back when slots run
/// short, and told to finish at shutdown.
final class ConnectionCensus: Sendable {
    private struct State: Sendable {
        var table = SlotTable()
        var isDraining = false
    }

    private let slots: Atomic<Int>
    /// The number of connections that the kernel has passed and that have not ended, including refused ones.
    let acceptedCount = Atomic<Int>(0)
    /// Accessed when connections begin and end, never per request.
    private let state = Mutex(State())
    private let takenBack = Counter(label: "auth_edge_connections_taken_back_total")

    init(connectionsMax: Int) { self.slots = Atomic(connectionsMax) }

    /// The greatest number of connections.
    var connectionsMax: Int {
        get { slots.load(ordering: .relaxed) }
        set { slots.store(newValue, ordering: .relaxed) }
    }

    var count: Int { state.withLock(\.table.count) }

    /// Returns how long a connection may be idle now: the fewer slots are left, the shorter.
    func idleSeconds(longest: Int64) -> Int64 {
        IdleTime.seconds(
            longest: longest, open: acceptedCount.load(ordering: .relaxed), max: connectionsMax)
    }

    /// Adds a connection, or returns `nil` if its client has too many.
    func admit(_ channel: any Channel, _ limits: ServerLimits) -> ConnectionSlot? {
        let address = channel.remoteAddress.flatMap(PeerAddress.init)?.address
        let scopes = address.map { Self.scopes(of: $0, limits) } ?? []
        let standing = Standing(.idle, milliseconds: CoarseClock.milliseconds())
        let admitted = state.withLock {
            $0.table.admit(scopes: scopes, perAddressMax: limits.connectionsPerAddressMax) {
                ConnectionSlot(id: $0, channel: channel, census: self, standing: standing)
            }
        }
        guard let slot = admitted else { return nil }
        channel.closeFuture.whenComplete { _ in
            slot.handler.value = nil
            self.state.withLock { $0.table.remove(slot) }
        }
        return slot
    }

    /// Counts a proxy's connection for the client that its PROXY header announces, or returns `false` if that client has too many.
    func assign(_ slot: ConnectionSlot, to client: IPAddress, _ limits: ServerLimits) -> Bool {
        state.withLock {
            $0.table.assign(slot, to: Self.scopes(of: client, limits), perAddressMax: limits.connectionsPerAddressMax)
        }
    }

    private static func scopes(of client: IPAddress, _ limits: ServerLimits) -> [LimitScope] {
        limits.isShared(client) ? [] : client.limitScopes
    }

    /// Sets the handler of an admitted connection, which replaces the one before; called on its event loop.
    func add(_ handler: any ClientConnection) {
        handler.slot.handler.value = handler
        if state.withLock(\.isDraining) { handler.drain() }
    }

    /// Ends one connection so that another can be accepted, or returns `false` if none can be taken back. A connection whose rank
    /// has risen since it was chosen keeps its slot.
    func takeBack() -> Bool {
        let chosen = state.withLock { $0.table.takeBack(now: CoarseClock.milliseconds()) }
        guard let (slot, rank) = chosen else { return false }
        takenBack.increment()
        slot.channel.eventLoop.execute {
            guard let handler = slot.handler.value else { return slot.channel.close(promise: nil) }
            guard handler.rank > rank else { return handler.giveWay() }
            self.state.withLock { $0.table.keep(slot) }
        }
        return true
    }

    /// Whether a chosen connection has neither ended nor turned out to be in use.
    var isTakingBack: Bool { state.withLock { $0.table.takenCount > 0 } }

    /// Tells all connections to finish, and waits until they have or `limit` has passed. Then it ends the remaining ones.
    func drain(within limit: TimeAmount) async {
        let open = state.withLock { state in
            state.isDraining = true
            return state.table.slots
        }
        for slot in open {
            slot.channel.eventLoop.execute { slot.handler.value?.drain() }
            let ending = slot.channel.eventLoop.scheduleTask(in: limit) {
                slot.handler.value?.abort()
                slot.channel.close(promise: nil)
            }
            slot.channel.closeFuture.whenComplete { _ in ending.cancel() }
        }
        for slot in open {
            // An error also means that the connection has ended.
            do { try await slot.channel.closeFuture.get() } catch { continue }
        }
    }
}
