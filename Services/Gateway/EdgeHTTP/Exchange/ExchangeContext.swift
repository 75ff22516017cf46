import NIOCore

/// The parts that the exchanges of one connection share.
struct ExchangeContext {
    /// The rules of requests that begin now.
    let rules: LoopRules
    let observer: any RequestObserver
    let bodyLimits: BodyLimits
    let pools: LoopPools
    let eventLoop: any EventLoop
    /// The deadline of the exchange's current wait; between two exchanges the connection's own.
    let timer: DeadlineTimer
}

/// The time limits for the body of a request to one of our own endpoints.
struct BodyLimits: Sendable {
    /// The limit between two pieces, in seconds.
    let pieceSeconds: Int64
    /// The limit for the whole body, in seconds.
    let wholeSeconds: Int64
}
