import NIOCore

/// A bounded queue of requests that wait for a connection.
struct WaitingRequests {
    private let commandsMax: Int
    private var requests: [RedisRequest] = []
    private var commandCount = 0

    init(commandsMax: Int) { self.commandsMax = commandsMax }

    /// The earliest time at which one of the requests stops waiting.
    var earliestDeadline: NIODeadline? { requests.lazy.map(\.deadline).min() }

    /// Adds a request, or fails it if the queue is full.
    mutating func append(_ request: RedisRequest) {
        guard request.commands.count <= commandsMax - commandCount else {
            request.fail(RedisError(.tooManyPending, "\(commandCount) commands wait for a connection"))
            return
        }
        commandCount += request.commands.count
        requests.append(request)
    }

    /// Removes and returns all requests.
    mutating func takeAll() -> [RedisRequest] {
        defer {
            requests = []
            commandCount = 0
        }
        return requests
    }

    /// Removes and returns the requests whose time is over.
    mutating func takeOverdue(now: NIODeadline) -> [RedisRequest] {
        let overdue = requests.filter { $0.deadline <= now }
        requests.removeAll { $0.deadline <= now }
        commandCount -= overdue.reduce(0) { $0 + $1.commands.count }
        return overdue
    }
}
