import CoreMetrics
import NIOCore
import Policies
import Synchronization

/// An object that has a slot. It is called on its event loop.
protocol SlotHolder: AnyObject {
    /// Ends in favour of a connection that waits for the slot, unless its rank has risen since it was chosen.
    func giveUpSlot(chosenAs chosen: ConnectionStanding.Rank)
    /// Finishes the request under way, then ends.
    func drain()
    /// Ends at once, so that the client can tell a truncated response from a whole one.
    func abort()
}

/// The slot of a connection among all that are open.
struct ConnectionSlot: Sendable {
    let id: ConnectionSlots.ID
    let standing: ConnectionStanding
    let connections: OpenConnections
}

/// The open connections. They are counted by client, so that no client takes all of them, taken back when slots run short, and told
/// to finish at shutdown.
final class OpenConnections: Sendable {
    private struct Entry: Sendable {
        let channel: any Channel
        var handler: NIOLoopBound<any SlotHolder>?
    }

    private struct State: Sendable {
        var slots = ConnectionSlots()
        var entries: [ConnectionSlots.ID: Entry] = [:]
        var isDraining = false
    }

    let limits: ServerLimits
    /// The number of connections that the kernel has passed and that have not ended, including refused ones.
    let acceptedCount = Atomic<Int>(0)
    /// Accessed when connections begin and end, never per request.
    private let state = Mutex(State())
    private let takenBack = Counter(label: "auth_edge_connections_taken_back_total")

    init(limits: ServerLimits) { self.limits = limits }

    var count: Int { state.withLock(\.entries.count) }

    /// How long a connection may be idle now: the fewer slots are left, the shorter.
    var idleSeconds: Int64 {
        IdleTime.seconds(
            longest: limits.idleSeconds, open: acceptedCount.load(ordering: .relaxed), max: limits.connectionsMax)
    }

    /// Adds a connection, or returns `nil` if its client has too many.
    func admit(_ channel: any Channel) -> ConnectionSlot? {
        let address = channel.remoteAddress.flatMap(PeerAddress.init)?.address
        let scopes = address.flatMap { limits.isShared($0) ? nil : $0.limitScopes } ?? []
        let standing = ConnectionStanding(.init(.idle, milliseconds: CoarseClock.milliseconds()))
        let admitted = state.withLock { state -> ConnectionSlots.ID? in
            let id = state.slots.admit(standing, scopes: scopes, perAddressMax: limits.connectionsPerAddressMax)
            if let id { state.entries[id] = Entry(channel: channel) }
            return id
        }
        guard let id = admitted else { return nil }
        channel.closeFuture.whenComplete { _ in self.remove(id) }
        return ConnectionSlot(id: id, standing: standing, connections: self)
    }

    /// Counts a proxy's connection for the client that its PROXY header announces, or returns `false` if that client has too many.
    func assign(_ id: ConnectionSlots.ID, to client: IPAddress) -> Bool {
        let scopes = limits.isShared(client) ? [] : client.limitScopes
        return state.withLock {
            $0.slots.assign(id, to: scopes, perAddressMax: limits.connectionsPerAddressMax)
        }
    }

    /// Sets the handler of an admitted connection, which replaces the one before.
    func add(_ handler: any SlotHolder, at id: ConnectionSlots.ID, of channel: any Channel) {
        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        let isDraining = state.withLock { state in
            state.entries[id]?.handler = bound
            return state.isDraining
        }
        if isDraining { handler.drain() }
    }

    /// Ends one connection so that another can be accepted, or returns `false` if none can be taken back.
    func takeBack() -> Bool {
        let chosen = state.withLock { state -> (entry: Entry, rank: ConnectionStanding.Rank)? in
            guard let (id, rank) = state.slots.takeBack(now: CoarseClock.milliseconds()) else { return nil }
            return state.entries[id].map { ($0, rank) }
        }
        guard let (entry, rank) = chosen else { return false }
        takenBack.increment()
        entry.channel.eventLoop.execute {
            guard let handler = entry.handler?.value else { return entry.channel.close(promise: nil) }
            handler.giveUpSlot(chosenAs: rank)
        }
        return true
    }

    /// Whether a chosen connection has neither ended nor turned out to be in use.
    var isTakingBack: Bool { state.withLock { $0.slots.takenCount > 0 } }

    /// Notes that a chosen connection is in use and keeps its slot.
    func keep(_ id: ConnectionSlots.ID) { state.withLock { $0.slots.keep(id) } }

    private func remove(_ id: ConnectionSlots.ID) {
        state.withLock { state in
            state.entries[id] = nil
            state.slots.remove(id)
        }
    }

    /// Ends a connection at once; called on its event loop.
    private func abort(_ id: ConnectionSlots.ID) {
        guard let entry = state.withLock({ $0.entries[id] }) else { return }
        entry.handler?.value.abort()
        entry.channel.close(promise: nil)
    }

    /// Tells all connections to finish, and waits until they have or `limit` has passed. Then it ends the remaining ones.
    func drain(within limit: TimeAmount) async {
        let open = state.withLock { state in
            state.isDraining = true
            return state.entries
        }
        for (id, entry) in open {
            entry.channel.eventLoop.execute { entry.handler?.value.drain() }
            let ending = entry.channel.eventLoop.scheduleTask(in: limit) { self.abort(id) }
            entry.channel.closeFuture.whenComplete { _ in ending.cancel() }
        }
        for entry in open.values {
            // An error also means that the connection has ended.
            do { try await entry.channel.closeFuture.get() } catch { continue }
        }
    }
}
