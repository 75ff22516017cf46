/// Streams of what changes.
extension Engine {
    /// The present state and those that follow. A slow reader sees the newest.
    var states: AsyncStream<State> { stream(to: \.states, keeping: 1) { $0.shown } }

    var events: AsyncStream<Event> { stream(to: \.events, keeping: 64) { _ in nil } }

    /// An element each time that the state or the profile has changed. A slow reader gets one for several changes.
    var news: AsyncStream<Void> { stream(to: \.news, keeping: 1) { _ in nil } }

    /// Returns a stream of at most `count` unread elements for a new reader.
    ///
    /// - Parameter first: returns the element with which the stream begins, or `nil`.
    private func stream<Element: Sendable>(
        to readers: any WritableKeyPath<Core, [Int: AsyncStream<Element>.Continuation]> & Sendable,
        keeping count: Int, _ first: (Core) -> Element?
    ) -> AsyncStream<Element> {
        AsyncStream(bufferingPolicy: .bufferingNewest(count)) { stream in
            let id = core.withLock { core in
                let id = core.nextID()
                core[keyPath: readers][id] = stream
                if let element = first(core) { stream.yield(element) }
                return id
            }
            stream.onTermination = { [weak self] _ in
                self?.core.withLock { _ = $0[keyPath: readers].removeValue(forKey: id) }
            }
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
