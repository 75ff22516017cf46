import NIOCore

/// The steps of a connection's machine, carried out on its channel.
extension ServerConnection {
    /// Takes one step, or returns `false` if there is nothing to do now.
    func step() throws(HTTPViolation) -> Bool {
        guard mayStep else { return false }
        switch try machine.next() {
        case .wait: return false
        case .client(let header): return learn(header)
        case .headBegan:
            timer.set(seconds: limits.headSeconds)
            return false
        case .request(let head): try begin(head)
        case .body(let data, let isLast): try exchange.bodyDidArrive(data, isLast: isLast)
        case .bodyEnd: exchange.bodyDidEnd()
        case .dropped, .absorbed: awaitEnd()
        case .through(let ending): follow(ending)
        case .linger:
            exchange.finish()
            linger()
        case .abort:
            abort()
            return false
        }
        return true
    }

    /// Whether the result of the next step can be used. A connection with a PROXY header that is not from a proxy ends here.
    private var mayStep: Bool {
        switch machine.stage {
        case .idle: return hasRoomForAnswer()
        case .exchange: return !machine.isRequestWhole && exchange.bodyDemand == .wanted
        case .preface:
            if !limits.isShared(peer.address) { drop(.untrustedPeer) }
            return machine.stage == .preface
        case .discarding, .absorbing, .lingering, .closed: return true
        }
    }

    private func begin(_ head: RequestHead) throws(HTTPViolation) {
        timer.clear()
        holdings.beginRequest()
        var head = head
        head.peer = peer
        try exchange.begin(head)
    }

    /// Learns the client from the proxy in front, or returns `false` if that has ended the connection.
    ///
    /// A connection that begins differently, or comes from another address, is closed without a response, because clients must come
    /// through the proxy. So is a connection of a client that has too many.
    private func learn(_ header: ProxyHeader) -> Bool {
        switch header {
        case .incomplete: return false
        case .malformed:
            drop(.badProxyHeader)
            return false
        case .local: peer = peer.asClient
        case .client(let address):
            guard slot.census.assign(slot, to: address, limits) else {
                abort()
                return false
            }
            peer = ClientPeer(address: address)
        }
        machine.prefaceDidEnd()
        timer.set(seconds: idleSeconds)
        return true
    }

    /// Closes a connection without a response, and leaves a line in the log.
    private func drop(_ violation: HTTPViolation) {
        exchange.note(violation)
        abort()
    }

    /// Continues after a request that is answered.
    func follow(_ ending: ConnectionMachine.Ending) {
        switch ending {
        case .discard: timer.set(seconds: limits.bodySeconds)
        case .rest:
            exchange.finish()
            timer.set(seconds: machine.isDraining ? limits.drainIdleSeconds : idleSeconds)
        case .linger:
            exchange.finish()
            linger()
        }
    }
}
