import NIOCore
package import NIOPosix
import Synchronization

/// The rules by which an edge handles connections and requests. They are replaced as a whole: a request is handled by the rules with
/// which it began, and a connection has the limits with which it began.
package final class EdgeRules: Sendable {
    package let router: any RequestRouter
    package let limits: ServerLimits
    /// One in this many successful requests to the app's API is logged.
    package let accessLogOneIn: Int64
    /// One in this many requests is traced; 0 for none.
    let traceOneIn: Int64

    package init(router: any RequestRouter, limits: ServerLimits, accessLogOneIn: Int64 = 1, traceOneIn: Int64 = 0) {
        self.router = router
        self.limits = limits
        self.accessLogOneIn = accessLogOneIn
        self.traceOneIn = traceOneIn
    }
}

/// The rules of what begins now on one event loop, which reads them without a lock.
final class LoopRules {
    var current: EdgeRules

    init(_ current: EdgeRules) { self.current = current }
}

/// The rules of what begins now, on all event loops.
package final class CurrentRules: Sendable {
    private let loops: [(loop: any EventLoop, rules: NIOLoopBoundBox<LoopRules?>)]
    private let newest: Mutex<EdgeRules>

    package init(_ first: EdgeRules, on group: MultiThreadedEventLoopGroup) {
        newest = Mutex(first)
        loops = group.makeIterator().map { loop in
            (loop, NIOLoopBoundBox.makeEmptyBox(valueType: LoopRules.self, eventLoop: loop))
        }
    }

    /// The rules that were set last. It takes a lock, so it is not for requests.
    var latest: EdgeRules { newest.withLock(\.self) }

    /// Returns the rules of the calling event loop, which must be one of the group.
    func on(_ loop: any EventLoop) -> LoopRules {
        let box = (loops.first { $0.loop === loop } ?? loops[0]).rules
        if let known = box.value { return known }
        let made = LoopRules(latest)
        box.value = made
        return made
    }

    /// Sets the rules of everything that begins after this returns.
    package func replace(with rules: EdgeRules) async throws {
        newest.withLock { $0 = rules }
        for (loop, _) in loops { try await loop.submit { self.on(loop).current = rules }.get() }
    }
}
