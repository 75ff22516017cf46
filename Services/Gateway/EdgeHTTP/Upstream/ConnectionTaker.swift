/// An object that requests a connection from a pool. It is called once, on the pool's event loop, maybe before the request returns.
protocol ConnectionTaker: AnyObject {
    /// Whether it still wants a connection; if not, no method is called and the connection goes to another one.
    var wantsConnection: Bool { get }
    func take(_ connection: UpstreamConnection)
    func getNone(_ failure: UpstreamFailure)
}
