/// How one request is sent on.
package struct ProxyPlan: Sendable {
    let upstream: UpstreamGroup
    /// Path and query as they are sent.
    let target: [UInt8]
    /// The client's own address, through proxies that are trusted.
    let clientAddress: String
    /// How the client's request came to us, or to the trusted proxy in front.
    let scheme: ForwardedScheme
    /// Who the client is, as lines of a head; empty when nobody is signed in.
    let identityLines: [UInt8]
    let keepsAuthorization: Bool
    /// Nil: any length is streamed through.
    let bodyBytesMax: Int?
    /// Without any progress: until the answer begins, and between pieces of a body in either direction.
    let timeoutSeconds: Int64
    /// From the end of the head to the end of the answer; nil: as long as something moves.
    let totalSeconds: Int64?
    /// Whether the edge alone says which pages of other origins may read the answer.
    let ownsCrossOrigin: Bool

    /// A plan; what is left out is as for a client over plain HTTP, without a bound on the whole.
    package init(
        upstream: UpstreamGroup, target: [UInt8], clientAddress: String, scheme: ForwardedScheme = .http,
        identityLines: [UInt8], keepsAuthorization: Bool, bodyBytesMax: Int?, timeoutSeconds: Int64,
        totalSeconds: Int64? = nil, ownsCrossOrigin: Bool = false
    ) {
        self.upstream = upstream
        self.target = target
        self.clientAddress = clientAddress
        self.scheme = scheme
        self.identityLines = identityLines
        self.keepsAuthorization = keepsAuthorization
        self.bodyBytesMax = bodyBytesMax
        self.timeoutSeconds = timeoutSeconds
        self.totalSeconds = totalSeconds
        self.ownsCrossOrigin = ownsCrossOrigin
    }
}
