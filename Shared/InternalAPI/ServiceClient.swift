import StrictJSON

/// The typed side of a transport: requests in, answers and refusals out, as the operation declares them.
package struct ServiceClient: Sendable {
    /// The service's name, for errors.
    package let service: String
    private let transport: any InternalTransport
    /// By path of an operation.
    private var patience: [String: Duration] = [:]

    package init(service: String, transport: any InternalTransport) {
        self.service = service
        self.transport = transport
    }

    /// The same client, which waits so long for the operation at `path`.
    package func waiting(_ limit: Duration, for path: String) -> ServiceClient {
        var client = self
        client.patience[path] = limit
        return client
    }

    /// Has the service do something, or asks it.
    ///
    /// - Parameter accessToken: of the user on whose behalf it is asked; goes along where the operation says so.
    /// - Throws: `ServiceUnavailable` as well for a refusal that the operation does not declare, such as one of our own
    ///   credentials: that is our fault, not the client's.
    package func call<Request, Answer, Refusal>(
        _ operation: InternalOperation<Request, Answer, Refusal>, _ request: Request, accessToken: String? = nil,
        requestID: String?
    ) async throws(ServiceUnavailable) -> OperationOutcome<Answer, Refusal> {
        try await callNaming(operation, request, accessToken: accessToken, requestID: requestID).outcome
    }

    /// Does the same, and returns also the member of the request that a refusal blames, if it names one.
    package func callNaming<Request, Answer, Refusal>(
        _ operation: InternalOperation<Request, Answer, Refusal>, _ request: Request, accessToken: String? = nil,
        requestID: String?
    ) async throws(ServiceUnavailable) -> (outcome: OperationOutcome<Answer, Refusal>, member: String?) {
        let response = try await transport.send(
            InternalRequest(
                operation.method, operation.path, timeLimit: patience[operation.path] ?? operation.timeLimit,
                accessToken: operation.isOnBehalfOfBearer ? accessToken : nil, requestID: requestID,
                body: try body(of: request, operation)))
        switch response.status {
        case 200..<300: return (.answer(try decode(Answer.self, response.body)), nil)
        case 400..<500: return try refusal(response)
        default: throw unavailable(response)
        }
    }

    /// The same for an operation whose request has no body.
    package func call<Answer, Refusal>(
        _ operation: InternalOperation<NoBody, Answer, Refusal>, accessToken: String? = nil, requestID: String?
    ) async throws(ServiceUnavailable) -> OperationOutcome<Answer, Refusal> {
        try await call(operation, NoBody(), accessToken: accessToken, requestID: requestID)
    }

    private func body<Request, Answer, Refusal>(
        of request: Request, _ operation: InternalOperation<Request, Answer, Refusal>
    ) throws(ServiceUnavailable) -> [UInt8] {
        guard case .json = operation.body else { return [] }
        do { return try StrictJSON.encode(request) } catch { throw unavailable("request does not encode") }
    }

    private func refusal<Answer, Refusal>(
        _ response: InternalResponse
    ) throws(ServiceUnavailable) -> (OperationOutcome<Answer, Refusal>, member: String?) {
        let problem = try decode(RefusalBody.self, response.body)
        guard let refusal = Refusal(rawValue: problem.code) else { throw unavailable("refused with \(problem.code)") }
        return (.refused(refusal, title: problem.title ?? problem.code), problem.member)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws(ServiceUnavailable) -> Value {
        do { return try StrictJSON.decode(type, from: body, limits: .own) } catch {
            throw unavailable("answer does not decode")
        }
    }

    /// With what the service says of it, for the log and the operator.
    private func unavailable(_ response: InternalResponse) -> ServiceUnavailable {
        do throws(ServiceUnavailable) {
            let problem = try decode(RefusalBody.self, response.body)
            return unavailable("\(response.status) \(problem.title ?? problem.code)")
        } catch {
            return unavailable("status \(response.status)")
        }
    }

    private func unavailable(_ reason: String) -> ServiceUnavailable {
        ServiceUnavailable(service: service, reason: reason)
    }
}

/// The members of a problem body that callers read.
private struct RefusalBody: Decodable {
    /// What they act on.
    let code: String
    /// What a person reads.
    let title: String?
    /// The member of the request that is to blame.
    let member: String?
}
