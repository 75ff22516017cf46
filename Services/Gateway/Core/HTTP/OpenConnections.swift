internal import NIOCore
internal import Policies
internal import Synchronization

/// The connections that are open: counted by client, so that none takes all of them, and told to finish in the end.
final class OpenConnections: Sendable {
    private struct Entry: Sendable {
        let channel: any Channel
        var handler: NIOLoopBound<ServerConnection>?
    }

    private struct State: Sendable {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Connections by client: an IPv4 address or an IPv6 /64.
        var byClient: [CIDR: Int] = [:]
        var isDraining = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.entries.count) }

    /// Counts a connection in, or says that this client has too many.
    func admit(_ channel: any Channel, within limits: ServerLimits) -> Bool {
        let address = channel.remoteAddress.flatMap(PeerAddress.init)?.address
        let client = address.flatMap { limits.isShared($0) ? nil : $0.limitScope }
        let isAdmitted = state.withLock { state in
            if let client {
                guard state.byClient[client, default: 0] < limits.connectionsPerAddressMax else { return false }
                state.byClient[client, default: 0] += 1
            }
            state.entries[ObjectIdentifier(channel)] = Entry(channel: channel)
            return true
        }
        if isAdmitted { channel.closeFuture.whenComplete { _ in self.remove(channel, of: client) } }
        return isAdmitted
    }

    /// Notes who serves an admitted connection.
    func add(_ handler: ServerConnection, of channel: any Channel) {
        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        let isDraining = state.withLock { state in
            state.entries[ObjectIdentifier(channel)]?.handler = bound
            return state.isDraining
        }
        if isDraining { handler.drain() }
    }

    private func remove(_ channel: any Channel, of client: CIDR?) {
        state.withLock { state in
            state.entries.removeValue(forKey: ObjectIdentifier(channel))
            guard let client, let count = state.byClient[client] else { return }
            state.byClient[client] = count > 1 ? count - 1 : nil
        }
    }

    /// Tells all to finish, and waits until they have or `limit` has passed; then ends what is left.
    func drain(within limit: TimeAmount) async {
        let open = state.withLock { state in
            state.isDraining = true
            return Array(state.entries.values)
        }
        for entry in open {
            entry.channel.eventLoop.execute { entry.handler?.value.drain() }
            let ending = entry.channel.eventLoop.scheduleTask(in: limit) { entry.channel.close(promise: nil) }
            entry.channel.closeFuture.whenComplete { _ in ending.cancel() }
        }
        for entry in open {
            // A connection that ended with an error has ended.
            do { try await entry.channel.closeFuture.get() } catch { continue }
        }
    }
}
