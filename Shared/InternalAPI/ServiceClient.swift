internal import StrictJSON

/// The typed side of a transport: values in, values out, refusals as cases.
package struct ServiceClient: Sendable {
    /// The service's name, for errors.
    package let service: String
    private let transport: any InternalTransport

    package init(service: String, transport: any InternalTransport) {
        self.service = service
        self.transport = transport
    }

    /// What a call came to: the answer, or the `code` of a problem that the service names with a 4xx status.
    package enum Outcome<Answer: Sendable>: Sendable {
        case answer(Answer)
        case refused(code: String)
    }

    /// Posts `body` and decodes the answer.
    package func post<Answer: Decodable & Sendable>(
        _ path: String, _ body: some Encodable & Sendable, requestID: String?, as type: Answer.Type = Answer.self
    ) async throws(ServiceUnavailable) -> Outcome<Answer> {
        try await send(InternalRequest(.post, path, requestID: requestID, body: try encode(body)))
    }

    /// Sends any request and decodes the answer.
    package func send<Answer: Decodable & Sendable>(
        _ request: InternalRequest, as type: Answer.Type = Answer.self
    ) async throws(ServiceUnavailable) -> Outcome<Answer> {
        let response = try await transport.send(request)
        switch response.status {
        case 200..<300: return .answer(try decode(Answer.self, response.body))
        case 400..<500: return try refusal(response)
        default: throw unavailable("status \(response.status)")
        }
    }

    /// The service's refusal; one of our own credentials is our fault, not the client's.
    private func refusal<Answer>(_ response: InternalResponse) throws(ServiceUnavailable) -> Outcome<Answer> {
        let code = try decode(Refusal.self, response.body).code
        guard code != InternalCode.assertionRefused else { throw unavailable("refused our assertion") }
        return .refused(code: code)
    }

    /// The JSON of `value`.
    package func encode(_ value: some Encodable) throws(ServiceUnavailable) -> [UInt8] {
        do { return try StrictJSON.encode(value) } catch { throw unavailable("request does not encode") }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws(ServiceUnavailable) -> Value {
        do { return try StrictJSON.decode(type, from: body, limits: .own) } catch {
            throw unavailable("answer does not decode")
        }
    }

    private func unavailable(_ reason: String) -> ServiceUnavailable {
        ServiceUnavailable(service: service, reason: reason)
    }
}

/// The one member of a problem body that callers act on.
private struct Refusal: Decodable {
    let code: String
}

/// Stable codes in problem bodies between services.
package enum InternalCode {
    package static let assertionRefused = "assertion_refused"
    package static let attestationRefused = "attestation_refused"
    package static let grantRefused = "grant_refused"
    /// The grant's epoch is below the user's: resolve again.
    package static let epochStale = "epoch_stale"
    package static let accountInactive = "account_inactive"
    package static let invalidToken = "invalid_token"
    package static let invalidRequest = "invalid_request"
    /// The `Idempotency-Key` of a refresh made the very token that it comes with.
    package static let idempotencyKeySpent = "idempotency_key_spent"
    package static let notFound = "not_found"
    /// What is wished cannot be done with a signing key; the title says why.
    package static let keyRefused = "key_refused"
}
