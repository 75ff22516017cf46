/// Who asked a pool for a connection; called once, on the pool's event loop, maybe before the asking returns.
protocol ConnectionTaker: AnyObject {
    /// Whether it still wants one; if not, nobody is called and the connection goes to another.
    var wantsConnection: Bool { get }
    func take(_ connection: UpstreamConnection)
    func getNone(_ failure: UpstreamFailure)
}
