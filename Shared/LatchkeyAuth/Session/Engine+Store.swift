import Dispatch

/// Reading and writing the store.
extension Engine {
    /// The time for which the start of an app waits for the store, in seconds.
    private static let startMax = 2.0

    /// Reads the store at once, so that the state is known before the first screen. A store that takes longer finds the state
    /// `starting`.
    func start() {
        let answered = DispatchSemaphore(value: 0)
        read { answered.signal() }
        _ = answered.wait(timeout: .now() + Self.startMax)
    }

    /// Waits until the store has answered for the first time.
    func ready() async { if state == .starting { await queue.idle() } }

    func read(_ done: @escaping @Sendable () -> Void = {}) {
        queue.use(orElse: .unreadable) { () throws(StoreFailure) in
            StoredItem(try self.store.load(), origin: self.api.baseURL.text)
        } _: { result in
            switch result {
            case .success(let item): self.feed { .read(item, $0) }
            case .failure(let failure): self.feed { .unreadable(failure.trouble, $0) }
            }
            done()
        }
    }

    func write(_ item: StoredItem) {
        queue.use(orElse: .unwritable) { () throws(StoreFailure) in
            try self.keep(item)
        } _: { result in
            switch result {
            case .success(nil): self.feed { .written(item.version, $0) }
            case .success(let found?): self.feed { .found(found, insteadOf: item.version, $0) }
            case .failure(let failure): self.feed { .unwritten(item.version, failure.trouble, $0) }
            }
        }
    }

    /// Writes an item. Returns the stored one if that is as new or newer.
    private func keep(_ item: StoredItem) throws(StoreFailure) -> StoredItem? {
        let origin = api.baseURL.text
        let found = try store.keepNewer(item.encoded(origin: origin), version: item.version)
        return found.map { StoredItem($0, origin: origin) }
    }

    /// Stores a session that an earlier client of the app has begun, and reads it. A failure leaves everything as it was.
    func takeOver(_ record: SessionRecord) async throws(AuthError) {
        let result = await withCheckedContinuation { reader in
            queue.use(orElse: .unwritable) { () throws(StoreFailure) in
                try self.keep(StoredItem(.record(record)))
            } _: {
                reader.resume(returning: $0)
            }
        }
        if case .failure(let failure) = result { throw .storeUnavailable(failure.trouble) }
        read()
        await queue.idle()
    }
}
