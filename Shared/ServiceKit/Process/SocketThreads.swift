internal import NIOCore

/// How many threads of a process read and write its sockets.
package enum SocketThreads: Sendable {
    /// One: a request, its calls to Redis and to other services never change thread, and what arrives together is worked
    /// off together. Databases and signatures have threads of their own; more of such a process are more replicas.
    case one
    /// One for each core: the edge, which has no replica beside it on its port.
    case oneForEachCore

    /// Must come before the first use of the process's event loops.
    func apply() {
        if case .one = self { NIOSingletons.groupLoopCountSuggestion = 1 }
    }
}
