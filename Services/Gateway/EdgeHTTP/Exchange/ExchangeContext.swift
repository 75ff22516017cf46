import NIOCore

/// What the exchanges of one connection have in common.
struct ExchangeContext {
    let router: any RequestRouter
    let observer: any RequestObserver
    let bodyLimits: BodyLimits
    let pools: LoopPools
    let eventLoop: any EventLoop
    /// The deadline of whatever is waited for; the connection's own between two exchanges.
    let timer: DeadlineTimer
}

/// How long the body of a request to one of our own endpoints may take.
struct BodyLimits: Sendable {
    /// Between two pieces.
    let pieceSeconds: Int64
    /// For all of it.
    let wholeSeconds: Int64
}
