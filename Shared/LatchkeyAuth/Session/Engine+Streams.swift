/// Streams of what changes.
extension Engine {
    /// The present state and those that follow. A slow reader sees the newest.
    var states: AsyncStream<State> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
            let id = core.withLock { core in
                let id = core.nextID()
                core.states[id] = stream
                stream.yield(core.shown)
                return id
            }
            stream.onTermination = { [weak self] _ in self?.core.withLock { _ = $0.states.removeValue(forKey: id) } }
        }
    }

    var events: AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { stream in
            let id = core.withLock { core in
                let id = core.nextID()
                core.events[id] = stream
                return id
            }
            stream.onTermination = { [weak self] _ in self?.core.withLock { _ = $0.events.removeValue(forKey: id) } }
        }
    }

    /// An element each time that the state or the profile has changed. A slow reader gets one for several changes.
    var news: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
            let id = core.withLock { core in
                let id = core.nextID()
                core.news[id] = stream
                return id
            }
            stream.onTermination = { [weak self] _ in self?.core.withLock { _ = $0.news.removeValue(forKey: id) } }
        }
    }

    /// Ends all streams.
    func finish() {
        let (states, events, news) = core.withLock { ($0.states, $0.events, $0.news) }
        for stream in states.values { stream.finish() }
        for stream in news.values { stream.finish() }
        for stream in events.values { stream.finish() }
    }
}
