extension LatchkeyAuth {
    /// A discovery document and when it was read.
    struct Discovered: Sendable {
        let document: Discovery
        let entityTag: String?
        let readAt: Duration
    }

    /// Reads what the server offers: code lengths, channels, providers. The result is kept for five minutes.
    ///
    /// A server that has no such document leaves every value unknown.
    public func discover() async throws(AuthError) -> Discovery {
        let known = discovered.withLock { $0 }
        if let known, configuration.clock.now - known.readAt < .seconds(300) { return known.document }
        let headers = known?.entityTag.map { ["If-None-Match": $0] } ?? [:]
        let reply = try await engine.api.send(
            API.Call(method: .get, path: "/.well-known/latchkey", headers: headers))
        let document: Discovery =
            switch (reply.status, known) {
            case (304, let known?): known.document
            case (404, _): .unknown
            default: Discovery(try reply.success())
            }
        let entityTag = reply.entityTag ?? known?.entityTag
        let now = configuration.clock.now
        discovered.withLock { $0 = Discovered(document: document, entityTag: entityTag, readAt: now) }
        return document
    }
}
