/// How one request is sent on.
struct ProxyPlan: Sendable {
    let upstream: UpstreamGroup
    /// Path and query as they are sent.
    let target: [UInt8]
    /// The client's own address, through proxies that are trusted.
    let clientAddress: String
    /// How the client's request came to us, or to the trusted proxy in front.
    var scheme = ForwardedScheme.http
    /// Who the client is, as lines of a head; empty when nobody is signed in.
    let identityLines: [UInt8]
    let keepsAuthorization: Bool
    /// Nil: any length is streamed through.
    let bodyBytesMax: Int?
    /// Without any progress: until the answer begins, and between pieces of a body in either direction.
    let timeoutSeconds: Int64
    /// From the end of the head to the end of the answer; nil: as long as something moves.
    var totalSeconds: Int64?
    /// Whether the edge alone says which pages of other origins may read the answer.
    var ownsCrossOrigin = false
}
