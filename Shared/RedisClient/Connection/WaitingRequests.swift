import NIOCore

/// Requests that wait for a connection, in order and within a bound.
struct WaitingRequests {
    private let commandsMax: Int
    private var requests: [RedisRequest] = []
    private var commandCount = 0

    init(commandsMax: Int) { self.commandsMax = commandsMax }

    /// The time by which the first of them gives up.
    var earliestDeadline: NIODeadline? { requests.lazy.map(\.deadline).min() }

    /// Takes a request in, or fails it when the bound is reached.
    mutating func append(_ request: RedisRequest) {
        guard request.commands.count <= commandsMax - commandCount else {
            request.fail(RedisError(.tooManyPending, "\(commandCount) commands wait for a connection"))
            return
        }
        commandCount += request.commands.count
        requests.append(request)
    }

    /// Hands all of them over.
    mutating func takeAll() -> [RedisRequest] {
        defer {
            requests = []
            commandCount = 0
        }
        return requests
    }

    /// Hands over those whose time is over.
    mutating func takeOverdue(now: NIODeadline) -> [RedisRequest] {
        let overdue = requests.filter { $0.deadline <= now }
        requests.removeAll { $0.deadline <= now }
        commandCount -= overdue.reduce(0) { $0 + $1.commands.count }
        return overdue
    }
}
