package import AsyncHTTPClient
import CallDeadlines
package import CryptoPrimitives
package import InternalAPI
import NIOCore
import NIOHTTP1
package import OutgoingConnections
package import ServerNames
package import ServiceKit
import Spans
import Synchronization
import Tracing

/// Calls another service over AsyncHTTPClient, replica by replica, with an assertion for each attempt. A response without a
/// valid proof counts as missing.
package final class HTTPServiceTransport: InternalTransport {
    /// The maximum size of a response.
    static let answerBytesMax = 1 << 20

    private let service: String
    private let replicas: ServiceReplicas
    private let signer: AssertionSigner
    private let authorities: InternalAuthorities?
    private let clocks: ClockPeers
    private let turn = Atomic<Int>(0)
    private let silent = SilentReplicas<ObjectIdentifier>()

    /// - Parameters:
    ///   - service: The short name of the called process.
    ///   - baseURLs: The URLs of the replicas; a name may have several addresses.
    ///   - operatorName: The operator on whose behalf latchkeyctl calls; `nil` for other callers.
    ///   - client: The client of URLs with an IP address.
    ///   - names: The resolver of the other URLs' names.
    ///   - authorities: The authorities of https addresses, which have no others.
    ///   - clocks: Learns how the service's clock differs.
    package init(
        service: String, baseURLs: [String], caller: Caller, operatorName: OperatorName? = nil, keys: KeyRing,
        client: HTTPClient, names: ServerNames = .system, authorities: InternalAuthorities? = nil,
        clocks: ClockPeers = ClockPeers()
    ) {
        self.service = service
        replicas = ServiceReplicas(baseURLs, client: client, names: names)
        self.authorities = authorities
        self.clocks = clocks
        signer = AssertionSigner(caller: caller, operatorName: operatorName, service: service, keys: keys)
    }

    package func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        try await request.withSpan(of: service) { () throws(ServiceUnavailable) in try await call(request) }
    }

    private func call(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        // No longer than the remaining time of the current call.
        let timeout = CallDeadline.shorten(request.timeLimit)
        let deadline = ContinuousClock.now + timeout
        guard timeout > .zero else { throw ServiceUnavailable(service: service, reason: "the caller waits no longer") }
        // Two calls that took turns from one counter would each meet only half of the replicas, so a call counts on by itself.
        let replicas = await replicas.inTurn(UInt(bitPattern: turn.wrappingAdd(1, ordering: .relaxed).oldValue))
        var reason = replicas.isEmpty ? ConnectionFailure.nameNotFound.rawValue : "the caller waits no longer"
        var failure: (replica: ServiceReplicas.Replica, error: any Error)?
        let refusals = CallRefusals(of: service, clocks: clocks)
        // Every replica, and the first one again.
        let order = silent.order(of: replicas.map { ObjectIdentifier($0.client) })
        for (place, limit) in order where ContinuousClock.now < deadline {
            let (replica, end) = (replicas[place], limit.map { min(deadline, .now + $0) } ?? deadline)
            do {
                let response = try await attempt(request, replica, repeating: refusals, before: end, of: deadline)
                silent.note(ObjectIdentifier(replica.client), isSilent: false)
                return response
            } catch {
                if ContinuousClock.now >= end { silent.note(ObjectIdentifier(replica.client), isSilent: true) }
                reason = (error is UnprovenAnswer ? refusals.reason : nil) ?? Self.describe(error)
                failure = (replica, error)
            }
        }
        // The client reports no certificate, so it is read once more.
        if let failure, let fault = await failure.replica.certificateFault(failure.error) { reason += ": \(fault)" }
        throw ServiceUnavailable(service: service, reason: reason)
    }

    /// Calls one replica, and calls it again if it did not know this process yet.
    private func attempt(
        _ request: InternalRequest, _ replica: ServiceReplicas.Replica, repeating refusals: CallRefusals,
        before end: ContinuousClock.Instant, of deadline: ContinuousClock.Instant
    ) async throws -> InternalResponse {
        while true {
            do { return try await attempt(request, replica, refusals, before: end, of: deadline) } catch let error
                as UnprovenAnswer
            {
                guard refusals.allowsRepeat(), ContinuousClock.now < end else { throw error }
            }
        }
    }

    /// - Parameters:
    ///   - end: the deadline of the attempt.
    ///   - deadline: the deadline of the whole call, which the service is told.
    private func attempt(
        _ request: InternalRequest, _ replica: ServiceReplicas.Replica, _ refusals: CallRefusals,
        before end: ContinuousClock.Instant, of deadline: ContinuousClock.Instant
    ) async throws -> InternalResponse {
        let rest = max(.milliseconds(1), end - ContinuousClock.now)
        let wait = max(rest, deadline - ContinuousClock.now)
        let (outgoing, proof) = try outgoing(request, baseURL: replica.baseURL, wait: wait, refusals.challenges)
        let response: HTTPClient.Response
        do {
            response = try await replica.client.execute(
                outgoing, bytesMax: Self.answerBytesMax, deadline: .now() + TimeAmount(rest))
        } catch {
            replica.client.note(isRefusing: !ConnectionFailure(of: error, hasBegun: true).mayHaveBeenSent)
            throw error
        }
        replica.client.note(isRefusing: false)
        return try Self.checked(response, proof, refusals)
    }

    private func outgoing(
        _ request: InternalRequest, baseURL: String, wait: Duration, _ challenges: [CallChallenge]
    ) throws -> (HTTPClient.Request, AnswerProof) {
        let method = request.method.rawValue
        var outgoing = try HTTPClient.Request(
            url: baseURL + request.path, method: .RAW(value: method), tlsConfiguration: authorities?.tls)
        let authorization = request.accessToken.map { "Bearer \($0)" }
        let call = signer.sign(
            AssertedRequest(
                method: method, path: request.path, authorization: authorization ?? "", body: request.body),
            wait: wait, answering: challenges)
        outgoing.headers.add(name: AssertionSigner.header, value: call.text)
        if let authorization { outgoing.headers.add(name: "Authorization", value: authorization) }
        if let requestID = request.requestID { outgoing.headers.add(name: "X-Request-Id", value: requestID) }
        for (name, value) in TraceFields.current.lines { outgoing.headers.add(name: name, value: value) }
        if !request.body.isEmpty {
            outgoing.headers.add(name: "Content-Type", value: "application/json")
            outgoing.body = .bytes(request.body)
        }
        return (outgoing, call.proof)
    }

    /// Returns the response, if it has exactly one proof and that is valid.
    private static func checked(
        _ response: HTTPClient.Response, _ proof: AnswerProof, _ refusals: CallRefusals
    ) throws(UnprovenAnswer) -> InternalResponse {
        let status = Int(response.status.code)
        let body = response.body.map { Array($0.readableBytesView) } ?? []
        let values = response.headers[AnswerProof.header]
        guard values.count == 1, proof.isGood(Array(values[0].utf8), status: status, body: body.span, refusals) else {
            throw UnprovenAnswer()
        }
        return InternalResponse(status: status, body: body)
    }

    /// Returns the kind of error; its text could contain request data.
    private static func describe(_ error: any Error) -> String {
        switch error {
        case is UnprovenAnswer: AssertionSigner.unprovenAnswer
        default: ConnectionFailure(of: error, hasBegun: true).rawValue
        }
    }

    private struct UnprovenAnswer: Error {}
}

/// An HTTP client for calls to our own and to providers' servers: no redirects, short waits (security guide L8, R-58), one
/// event loop.
///
/// - Parameters:
///   - readSeconds: How long a server may send nothing.
///   - addresses: Addresses in place of those of names.
///   - connectSeconds: how long a server may take to accept a connection.
package func makeHTTPClient(
    connectionsMax: Int = 64, readSeconds: Int64 = 5, connecting addresses: [String: String] = [:],
    connectSeconds: Int64 = 1
) -> HTTPClient {
    var configuration = HTTPClient.Configuration(
        redirectConfiguration: .disallow, timeout: .init(connect: .seconds(connectSeconds), read: .seconds(readSeconds))
    )
    configuration.httpVersion = .http1Only
    configuration.dnsOverride = addresses
    // Shorter than our servers' idle time, so that a request rarely meets a connection that is being closed.
    configuration.connectionPool.idleTimeout = .seconds(20)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsMax
    // A refused connection fails at once, so that the next replica is tried: the client would repeat it until the time is over.
    configuration.connectionPool.retryConnectionEstablishment = false
    // With delegates, which all calls use, the client's own spans would lack their trace: it starts them on its event loop, and
    // passes no `traceparent` on. So the callers make spans (`withClientSpan`).
    configuration.tracing.tracer = nil
    return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup.any(), configuration: configuration)
}
