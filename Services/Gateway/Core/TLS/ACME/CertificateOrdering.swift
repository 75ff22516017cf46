import ServiceKit
import TLSPairs

/// One attempt to get a certificate from a directory (RFC 8555 section 7.4).
struct CertificateOrdering {
    let hosts: [String]
    /// The certificate's key (PEM).
    let key: [UInt8]
    /// How long the directory may take.
    var limit: Duration = .seconds(180)
    /// The seconds between two looks at the order, whatever the directory wishes.
    var lookSeconds: ClosedRange<Int64> = 2...15
    /// Makes answers available to the authority, at every gateway that it may reach.
    let publish: ([HostChallenge]) async throws -> Void

    /// Returns the chain of the certificate (PEM).
    ///
    /// - Parameter kind: The challenges that the gateway answers.
    func run(_ session: inout ACMESession, by kind: ACMEChallenge.Kind) async throws -> [UInt8] {
        let deadline = ContinuousClock.now + limit
        var (url, order) = try await session.order(hosts)
        var (hasProved, hasFinalized, authorizations) = (false, false, [String]())
        while true {
            var retryAfter: Int64?
            switch order.next(hasProved: hasProved, hasFinalized: hasFinalized) {
            case .prove(let urls):
                guard (1...hosts.count).contains(urls.count) else { throw ACMEFailure.malformed }
                authorizations = urls
                try await prove(urls, by: kind, &session)
                hasProved = true
            case .finalize(let url):
                let request = try CertificateRequest.der(names: hosts, key: key)
                try await session.finalize(request, at: url)
                hasFinalized = true
            case .download(let url): return try await session.certificates(at: url)
            case .give(let problem):
                try await explain(authorizations, &session)
                throw ACMEFailure.order(problem)
            case .wait: break
            }
            guard ContinuousClock.now < deadline else { throw ACMEFailure.endless }
            (order, retryAfter) = try await session.read(ACMEOrder.self, at: url)
            let seconds = min(max(retryAfter ?? 0, lookSeconds.lowerBound), lookSeconds.upperBound)
            if order.isUnderWay(hasProved: hasProved, hasFinalized: hasFinalized) {
                try await pause(for: .seconds(seconds))
            }
        }
    }

    private func prove(_ urls: [String], by kind: ACMEChallenge.Kind, _ session: inout ACMESession) async throws {
        var (answers, challenges) = ([HostChallenge](), [String]())
        for url in urls {
            let authorization = try await session.read(ACMEAuthorization.self, at: url).object
            let host = authorization.identifier.value
            guard hosts.contains(host) else { throw ACMEFailure.malformed }
            // The authority may remember that it has verified the host.
            if authorization.status == .valid { continue }
            let challenge = authorization.challenges.first { $0.type == kind.rawValue }
            guard let challenge, let token = challenge.token else { throw ACMEFailure.noChallenge }
            guard let answer = HostChallenge(host: host, token: token, key: session.key) else {
                throw ACMEFailure.malformed
            }
            answers.append(answer)
            challenges.append(challenge.url)
        }
        if !answers.isEmpty { try await publish(answers) }
        for url in challenges { try await session.accept(url) }
    }

    /// Throws the reason that an authorization states for the failure of the order, if one does.
    private func explain(_ urls: [String], _ session: inout ACMESession) async throws {
        for url in urls {
            let authorization = try await session.read(ACMEAuthorization.self, at: url).object
            guard authorization.status == .invalid else { continue }
            let reason = authorization.challenges.lazy.compactMap(\.error).first
            throw ACMEFailure.challenge(host: authorization.identifier.value, reason)
        }
    }
}

extension ACMEOrder {
    fileprivate func isUnderWay(hasProved: Bool, hasFinalized: Bool) -> Bool {
        next(hasProved: hasProved, hasFinalized: hasFinalized) == .wait
    }
}
