import DequeModule
import NIOCore

/// Decides the next step of one connection from its events, without a socket, clock or thread.
///
/// Replies do not identify their request: only the order connects them. So a connection with a late, missing or malformed
/// reply is closed and never used again, and later replies are dropped.
struct ConnectionMachine<Request> {
    /// The phases of a connection, in order.
    enum Phase: Equatable {
        /// The socket is being opened.
        case connecting
        /// The handshake is sent, its replies are awaited.
        case authenticating
        /// Requests are accepted.
        case ready
        /// No new requests are accepted; replies to earlier ones are awaited.
        case draining
        case closed
    }

    /// The steps to close a connection: notify the requests, close the socket.
    struct Closing {
        let reason: RedisError
        var failures: [(request: Request, error: RedisError)] = []
    }

    /// A written request that still awaits this many replies.
    private struct Pending {
        let request: Request
        var repliesLeft: Int
        let deadline: NIODeadline
    }

    private(set) var phase = Phase.connecting
    private let pendingCommandsMax: Int
    private var handshakeRepliesLeft: Int
    private let asksRole: Bool
    private var handshakeDeadline = NIODeadline.distantFuture
    private var pending: Deque<Pending> = []
    private(set) var pendingCommandCount = 0

    /// - Parameters:
    ///   - handshakeCommandCount: The number of commands sent before any request, each with a reply; at least 1.
    ///   - asksRole: Whether the last of them is `ROLE`.
    init(handshakeCommandCount: Int, asksRole: Bool = false, pendingCommandsMax: Int) {
        handshakeRepliesLeft = handshakeCommandCount
        self.asksRole = asksRole
        self.pendingCommandsMax = pendingCommandsMax
    }
}

// MARK: - Connecting

extension ConnectionMachine {
    /// Handles the opening of the socket.
    /// - Returns: Whether the handshake has to be sent now.
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
        /// Write the commands; check the deadlines at this time.
        case write(checkBy: NIODeadline)
        /// This connection accepts no requests (now).
        case refuse(RedisError)
    }

    /// Decides on a request that should be written.
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
        /// The handshake is incomplete, or the connection is closed already.
        case wait
        /// The handshake is complete: requests may be sent.
        case becomeReady
        /// The reply belongs to this request.
        case deliver(Request)
        /// Like `deliver`, for the last reply that a draining connection awaits.
        case deliverAndClose(Request, Closing)
        case close(Closing)
    }

    /// Handles a reply.
    mutating func received(_ reply: RedisReply) -> ReplyDecision {
        switch phase {
        case .connecting: .close(close(RedisError(.protocolViolation, "a reply before any command")))
        case .authenticating: receivedHandshake(reply)
        case .ready, .draining: receivedForRequest()
        case .closed: .wait
        }
    }

    private mutating func receivedHandshake(_ reply: RedisReply) -> ReplyDecision {
        let isRole = asksRole && handshakeRepliesLeft == 1
        if let failure = Handshake.failure(for: reply, isRole: isRole) { return .close(close(failure)) }
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
        /// No reply is awaited.
        case idle
        /// Check the deadlines again at this time.
        case check(at: NIODeadline)
        case close(Closing)
    }

    /// Closes the connection if a reply is overdue at `now`, since the reply may still arrive and must not be delivered to
    /// another request.
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
    /// Stops accepting requests: closes now, or after the awaited replies.
    mutating func drain() -> Closing? {
        if phase == .ready, !pending.isEmpty { phase = .draining }
        guard phase != .draining, phase != .closed else { return nil }
        return close(.ended)
    }

    /// Handles a connection that was closed or is unusable.
    /// - Returns: `nil` if it was closed before.
    mutating func lost(_ reason: RedisError) -> Closing? {
        phase == .closed ? nil : close(reason)
    }

    /// Closes; requests whose time is over by `now` fail with the timeout, the others with `reason`.
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
    /// The error of requests when the client closes the connection.
    static let ended = RedisError(.notConnected, "the client has ended")
    /// The error of a request whose time is over.
    static let overdue = RedisError(.timeout, "no reply within the command's time")
    /// The error of requests to a server that is no longer the master.
    static let replaced = RedisError(.connectionLost, "the server is not the master")
    /// The error of an account that cannot find out whether the server is the master.
    static let mayNotAskRole = RedisError(
        .authenticationFailed, "the account lacks the right to call ROLE (NOPERM). Add +role to its line in the ACL")
    /// The error of an attempt to connect while no master is known.
    static let noMaster = RedisError(.notConnected, "no majority of the Sentinels names a master")
}
