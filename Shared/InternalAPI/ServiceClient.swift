import StrictJSON

/// The typed side of a transport: sends requests, and returns responses and refusals as the operation declares them.
package struct ServiceClient: Sendable {
    /// The service's name, for errors.
    package let service: String
    private let transport: any InternalTransport
    /// Time limits by path of an operation, where they differ from the operation's own.
    private var patience: [String: Duration] = [:]

    package init(service: String, transport: any InternalTransport) {
        self.service = service
        self.transport = transport
    }

    /// Returns a client that waits up to `limit` for the operation at `path`.
    package func waiting(_ limit: Duration, for path: String) -> ServiceClient {
        var client = self
        client.patience[path] = limit
        return client
    }

    /// Calls an operation of the service.
    ///
    /// - Parameter accessToken: The access token of the user on whose behalf the call is made; sent if the operation
    ///   declares it.
    /// - Throws: `ServiceUnavailable`, also for a refusal that the operation does not declare, such as one of our own
    ///   credentials: that is an internal error, not the client's.
    package func call<Request, Answer, Refusal>(
        _ operation: InternalOperation<Request, Answer, Refusal>, _ request: Request, accessToken: String? = nil,
        requestID: String?
    ) async throws(ServiceUnavailable) -> OperationOutcome<Answer, Refusal> {
        try await callNaming(operation, request, accessToken: accessToken, requestID: requestID).outcome
    }

    /// Calls an operation, and also returns the member of the request that a refusal blames, if it names one.
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

    /// Calls an operation whose request has no body.
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

    /// Returns the error with the service's own description, for the log and the operator.
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
    /// The code that callers act on.
    let code: String
    /// The text for people.
    let title: String?
    /// The invalid member of the request.
    let member: String?
}
