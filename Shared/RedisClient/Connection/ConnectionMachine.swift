import DequeModule
import NIOCore

/// What one connection does next, decided from what happened, without a socket, clock or thread.
///
/// Replies carry no name: the order of requests is the only link between the two. So a connection on which a reply is
/// late, missing or not understood is closed and never used again, and replies after that are dropped.
struct ConnectionMachine<Request> {
    /// The life of a connection; it only moves forward.
    enum Phase: Equatable {
        /// The socket is being opened.
        case connecting
        /// The handshake is sent, replies to it are missing.
        case authenticating
        /// Requests are taken.
        case ready
        /// No new requests; replies to the earlier ones are awaited.
        case draining
        case closed
    }

    /// What is to be done about the end of a connection: tell the requests, close the socket.
    struct Closing {
        let reason: RedisError
        var failures: [(request: Request, error: RedisError)] = []
    }

    /// A request that was written and still waits for this many replies.
    private struct Pending {
        let request: Request
        var repliesLeft: Int
        let deadline: NIODeadline
    }

    private(set) var phase = Phase.connecting
    private let pendingCommandsMax: Int
    private var handshakeRepliesLeft: Int
    private var handshakeDeadline = NIODeadline.distantFuture
    private var pending: Deque<Pending> = []
    private(set) var pendingCommandCount = 0

    /// - Parameter handshakeCommandCount: commands sent before any request, each with a reply; at least 1.
    init(handshakeCommandCount: Int, pendingCommandsMax: Int) {
        handshakeRepliesLeft = handshakeCommandCount
        self.pendingCommandsMax = pendingCommandsMax
    }
}

// MARK: - Connecting

extension ConnectionMachine {
    /// The socket is open.
    /// - Returns: whether the handshake is to be sent now.
    mutating func connected(handshakeDeadline: NIODeadline) -> Bool {
        guard phase == .connecting else { return false }
        phase = .authenticating
        self.handshakeDeadline = handshakeDeadline
        return true
    }
}

// MARK: - Requests

extension ConnectionMachine {
    enum SendDecision: Equatable {
        /// Write the commands; look at the clock again by this time.
        case write(checkBy: NIODeadline)
        /// This connection takes no requests (now).
        case refuse(RedisError)
    }

    /// A request wants to be written.
    mutating func send(_ request: Request, commandCount: Int, deadline: NIODeadline) -> SendDecision {
        guard phase == .ready else { return .refuse(RedisError(.notConnected, "the connection takes no commands")) }
        guard commandCount <= pendingCommandsMax - pendingCommandCount else {
            return .refuse(RedisError(.tooManyPending, "\(pendingCommandCount) commands wait for replies"))
        }
        pendingCommandCount += commandCount
        pending.append(Pending(request: request, repliesLeft: commandCount, deadline: deadline))
        return .write(checkBy: deadline)
    }
}

// MARK: - Replies

extension ConnectionMachine {
    enum ReplyDecision {
        /// More of the handshake is to come, or the connection is closed already.
        case wait
        /// The handshake is complete: requests may be sent.
        case becomeReady
        /// The reply belongs to this request.
        case deliver(Request)
        /// As `deliver`; it was the last one awaited by a draining connection.
        case deliverAndClose(Request, Closing)
        case close(Closing)
    }

    /// A reply arrived.
    mutating func received(_ reply: RedisReply) -> ReplyDecision {
        switch phase {
        case .connecting: .close(close(RedisError(.protocolViolation, "a reply before any command")))
        case .authenticating: receivedHandshake(reply)
        case .ready, .draining: receivedForRequest()
        case .closed: .wait
        }
    }

    private mutating func receivedHandshake(_ reply: RedisReply) -> ReplyDecision {
        if case .failure(let error) = reply, let failure = Handshake.failure(for: error) {
            return .close(close(failure))
        }
        handshakeRepliesLeft -= 1
        guard handshakeRepliesLeft <= 0 else { return .wait }
        phase = .ready
        return .becomeReady
    }

    private mutating func receivedForRequest() -> ReplyDecision {
        guard let first = pending.first else {
            return .close(close(RedisError(.protocolViolation, "a reply to no command")))
        }
        pendingCommandCount -= 1
        guard first.repliesLeft <= 1 else {
            pending[pending.startIndex].repliesLeft -= 1
            return .deliver(first.request)
        }
        pending.removeFirst()
        guard phase == .draining, pending.isEmpty else { return .deliver(first.request) }
        return .deliverAndClose(first.request, close(.ended))
    }
}

// MARK: - Time

extension ConnectionMachine {
    enum DeadlineDecision {
        /// Nothing is awaited.
        case idle
        /// Look at the clock again at this time.
        case check(at: NIODeadline)
        case close(Closing)
    }

    /// It is `now`: a reply that is overdue ends the connection, for it may still come and must reach nobody.
    mutating func checkDeadlines(now: NIODeadline) -> DeadlineDecision {
        guard let earliest = earliestDeadline else { return .idle }
        guard earliest <= now else { return .check(at: earliest) }
        return .close(close(RedisError(.connectionLost, "closed because a reply was overdue"), now: now))
    }

    private var earliestDeadline: NIODeadline? {
        switch phase {
        case .connecting, .closed: nil
        case .authenticating: handshakeDeadline
        case .ready, .draining: pending.lazy.map(\.deadline).min()
        }
    }
}

// MARK: - End

extension ConnectionMachine {
    /// No more requests will come: close now, or after the replies that are awaited.
    mutating func drain() -> Closing? {
        if phase == .ready, !pending.isEmpty { phase = .draining }
        guard phase != .draining, phase != .closed else { return nil }
        return close(.ended)
    }

    /// The connection ended, or is of no more use.
    /// - Returns: nil when it was closed before.
    mutating func lost(_ reason: RedisError) -> Closing? {
        phase == .closed ? nil : close(reason)
    }

    /// Requests whose time is over by `now` learn of the timeout, the others of `reason`.
    private mutating func close(_ reason: RedisError, now: NIODeadline? = nil) -> Closing {
        var closing = Closing(reason: reason)
        for entry in pending {
            let isOverdue = now.map { entry.deadline <= $0 } ?? false
            closing.failures.append((entry.request, isOverdue ? .overdue : reason))
        }
        phase = .closed
        pending.removeAll()
        pendingCommandCount = 0
        return closing
    }
}

extension RedisError {
    /// The end of a connection that was asked for.
    static let ended = RedisError(.notConnected, "the client has ended")
    /// The end of a request's time.
    static let overdue = RedisError(.timeout, "no reply within the command's time")
}
