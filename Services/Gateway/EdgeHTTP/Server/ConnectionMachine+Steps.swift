import NIOCore

/// The stages of a connection, and the steps that it can return.
extension ConnectionMachine {
    /// The stage of the connection.
    enum Stage: Sendable, Equatable {
        /// The PROXY header is awaited, before the first request.
        case preface
        /// The connection is between requests, or within a head.
        case idle
        /// A request is being decided, its body read, or its response written.
        case exchange
        /// The response is written, and the rest of the body is read and discarded.
        case discarding(bytesLeft: Int)
        /// Our half is closed. The rest of the body is read to its end and discarded.
        case absorbing(bytesLeft: Int)
        /// Our half is closed. All bytes are discarded until the client closes its half.
        case lingering(bytesLeft: Int)
        case closed
    }

    /// The next step to carry out.
    enum Step {
        /// There is nothing to do until more bytes arrive.
        case wait
        /// The proxy in front has announced the client.
        case client(ProxyHeader)
        /// The first bytes of a head have arrived; the rest must follow in time.
        case headBegan
        case request(RequestHead)
        case body(ByteBuffer, isLast: Bool)
        /// A body has ended separately from its last piece.
        case bodyEnd
        /// A piece of an unneeded body was discarded.
        case dropped
        /// The rest of the body was read to its end after a refusal.
        case absorbed
        /// The response of a request is written and its body is read.
        case through(Ending)
        case linger
        case abort
    }

    /// The continuation of the connection after a request is answered.
    enum Ending: Sendable, Equatable {
        /// The next request may follow.
        case rest
        /// The rest of the body is read first.
        case discard
        /// The connection is closed.
        case linger
    }
}
