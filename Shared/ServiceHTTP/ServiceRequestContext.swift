package import Hummingbird
package import InternalAPI

/// The context of an internal request for its handler: the calling service, and the client request that it is part of.
package struct ServiceRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The calling service, verified by its assertion.
    package var caller: Caller?
    /// The request's body, which the assertion covers.
    package var body: [UInt8] = []

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }

    /// The maximum size of a body; ours are small.
    package var maxUploadSize: Int { ServiceLimits.bodyBytesMax }
}

/// The bounds of internal servers.
package enum ServiceLimits {
    package static let bodyBytesMax = 64 * 1024
    package static let headerBytesMax = 32 * 1024
    package static let headerCountMax = 100
    package static let connectionsMax = 1024
    package static let idleSeconds: Int64 = 60
    /// How long a process that starts waits for what its calls need before it listens all the same.
    static let readySecondsMax = 5
}
