import InternalAPI

extension ServiceClient {
    /// Has a service do `operation` for a client; a service that gives no answer is a refusal like any other.
    func ask<Request, Answer, Denial>(
        _ operation: InternalOperation<Request, Answer, Denial>, _ request: Request, for call: ClientCall
    ) async throws(Refusal) -> OperationOutcome<Answer, Denial> {
        do throws(ServiceUnavailable) {
            return try await self.call(
                operation, request, accessToken: call.accessToken, requestID: call.requestID)
        } catch {
            throw .unavailable
        }
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
