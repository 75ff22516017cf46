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
    /// From the last byte sent to the first byte of the answer, and between pieces of it.
    let timeoutSeconds: Int64
}
