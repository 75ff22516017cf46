import Synchronization

/// The replicas of a service whose last call had no response in time, e.g. since their host is frozen.
///
/// They are called after the others for a while. Then one call tries a replica again, and soon goes on to the next one.
final class SilentReplicas<ID: Hashable & Sendable>: Sendable {
    private let pause: Duration
    private let trial: Duration
    private let silentUntil = Mutex<[ID: ContinuousClock.Instant]>([:])

    /// - Parameters:
    ///   - pause: how long a replica is called last.
    ///   - trial: how long the next call waits for a response there.
    init(pause: Duration = .seconds(5), trial: Duration = .milliseconds(500)) {
        self.pause = pause
        self.trial = trial
    }

    /// Returns the places of the replicas in the order in which a call tries them, with its longest wait for each; `nil` is the
    /// time that it has.
    ///
    /// The first one comes again at the end, since its idle connection may just have been closed.
    func order(of replicas: [ID], now: ContinuousClock.Instant = .now) -> [(place: Int, limit: Duration?)] {
        silentUntil.withLock { silentUntil in
            if !silentUntil.isEmpty { silentUntil = silentUntil.filter { replicas.contains($0.key) } }
            let ends = replicas.map { silentUntil[$0] }
            let talking = ends.indices.filter { ends[$0] == nil }
            guard !talking.isEmpty else { return (Array(ends.indices) + ends.indices.prefix(1)).map { ($0, nil) } }
            let due = ends.indices.filter { ends[$0].map { $0 <= now } ?? false }
            let silent = ends.indices.filter { ends[$0].map { $0 > now } ?? false }
            // Other calls do not try it meanwhile.
            for place in due { silentUntil[replicas[place]] = now + pause }
            return due.map { ($0, trial) } + (talking + talking.prefix(1) + silent).map { ($0, nil) }
        }
    }

    /// Notes how a call ended.
    func note(_ replica: ID, isSilent: Bool) {
        silentUntil.withLock { $0[replica] = isSilent ? .now + pause : nil }
    }
}
