import InternalAPI

extension ServiceClient {
    /// Asks a service to carry out `operation` for a client.
    ///
    /// - Throws: `.unavailable` if the service does not respond; `.invalid` if it refuses a member of the request.
    func ask<Request, Answer, Denial>(
        _ operation: InternalOperation<Request, Answer, Denial>, _ request: Request, for call: ClientCall
    ) async throws(Refusal) -> OperationOutcome<Answer, Denial> {
        let (outcome, member): (OperationOutcome<Answer, Denial>, String?)
        do throws(ServiceUnavailable) {
            (outcome, member) = try await callNaming(
                operation, request, accessToken: call.accessToken, requestID: call.requestID)
        } catch {
            throw .unavailable
        }
        if let member { throw .invalid(member: member) }
        return outcome
    }

    /// Returns a service's response to the bearer, for operations in which only the bearer's token can be refused.
    func answer<Request, Answer>(
        _ operation: InternalOperation<Request, Answer, BearerRefusal>, _ request: Request, for call: ClientCall
    ) async throws(Refusal) -> Answer {
        switch try await ask(operation, request, for: call) {
        case .answer(let answer): return answer
        case .refused(.invalidToken, _): throw .accessTokenInvalid
        case .refused(.accountInactive, _): throw .accountInactive
        }
    }
}
