package import Hummingbird
package import InternalAPI

/// What a handler of an internal request knows beside the request: who asks, and for which client request.
package struct ServiceRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The process that made the request, proved by its assertion.
    package var caller: Caller?
    /// The request's body, which the assertion covers.
    package var body: [UInt8] = []

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }

    /// Bytes of a body; ours are small.
    package var maxUploadSize: Int { ServiceLimits.bodyBytesMax }
}

/// Bounds of internal servers.
package enum ServiceLimits {
    package static let bodyBytesMax = 64 * 1024
    package static let headerBytesMax = 32 * 1024
    package static let headerCountMax = 100
    package static let connectionsMax = 1024
    package static let idleSeconds: Int64 = 60
}
