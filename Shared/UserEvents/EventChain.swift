/// Claimed events of one user, with their bodies, in their order.
struct EventChain: Sendable {
    let user: [UInt8]
    private(set) var events: [(QueuedEvent, EventBody)] = []

    /// Divides events by their users. The users are in the order of their first events.
    static func chains(_ events: [QueuedEvent], _ bodies: [EventBody]) -> [EventChain] {
        var (chains, places) = ([EventChain](), [[UInt8]: Int]())
        for (event, body) in zip(events, bodies) {
            let place = places[event.user] ?? chains.endIndex
            if place == chains.endIndex {
                places[event.user] = place
                chains.append(EventChain(user: event.user))
            }
            chains[place].events.append((event, body))
        }
        return chains
    }
}
