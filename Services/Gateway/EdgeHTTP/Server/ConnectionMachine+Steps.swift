import NIOCore

/// Where a connection can be, and what it can be told to do.
extension ConnectionMachine {
    /// Where the connection is.
    enum Stage: Sendable, Equatable {
        /// Before the first request: who the client is has to be said.
        case preface
        /// Between requests, or in the midst of a head.
        case idle
        /// A request is decided, or its body read, or its answer written.
        case exchange
        /// Answered; the rest of the body is read and dropped.
        case discarding(bytesLeft: Int)
        /// Our half is closed; what comes is the rest of a body, which is dropped until its end.
        case absorbing(bytesLeft: Int)
        /// Our half is closed; what comes is dropped until the client ends its half.
        case lingering(bytesLeft: Int)
        case closed
    }

    /// What is to be done next.
    enum Step {
        /// Nothing, until more comes.
        case wait
        /// The proxy in front says who the client is.
        case client(ProxyHeader)
        /// The first bytes of a head: the rest has to come in time.
        case headBegan
        case request(RequestHead)
        case body(ByteBuffer, isLast: Bool)
        /// A body whose end came by itself.
        case bodyEnd
        /// A piece of a body that nobody wants was dropped.
        case dropped
        /// After a refusal the rest of the body has come to its end.
        case absorbed
        /// A request is answered, and its body through.
        case through(Ending)
        case linger
        case abort
    }

    /// What a request that is answered leaves behind.
    enum Ending: Sendable, Equatable {
        /// The next request may come.
        case rest
        /// The rest of its body comes first.
        case discard
        /// The connection ends.
        case linger
    }
}
