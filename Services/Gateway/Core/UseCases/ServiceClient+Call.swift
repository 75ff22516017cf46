import InternalAPI

extension ServiceClient {
    /// Has a service do `operation` for a client.
    ///
    /// - Throws: `.unavailable` for a service that does not answer; `.invalid` for a request of which it blames a member.
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

    /// What a service answers the bearer, where nothing but his token can be wrong.
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
