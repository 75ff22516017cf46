/// How one request is sent on.
struct ProxyPlan: Sendable {
    let upstream: UpstreamGroup
    /// Path and query as they are sent.
    let target: [UInt8]
    /// Fields that we state ourselves: identity, client address.
    let setHeaders: [(String, String)]
    let keepsAuthorization: Bool
    /// Nil: any length is streamed through.
    let bodyBytesMax: Int?
    /// Without any progress: until the answer begins, and between pieces of a body in either direction.
    let timeoutSeconds: Int64
}
