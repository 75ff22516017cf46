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

    /// Returns a service's answer to a client's request.
    ///
    /// - Parameter refusal: the client's refusal that each refusal of the operation becomes; `nil` for the one of its code.
    func answer<Request, Answer, Denial>(
        _ operation: InternalOperation<Request, Answer, Denial>, _ request: Request, for call: ClientCall,
        refusedAs refusal: Refusal? = nil
    ) async throws(Refusal) -> Answer {
        switch try await ask(operation, request, for: call) {
        case .answer(let answer): return answer
        case .refused(let denial, _): throw refusal ?? denial.code.toClient
        }
    }

    /// Carries out an operation for a client, and returns its answer unless the answer is a refusal.
    @discardableResult func settle<Request, Answer: RefusableAnswer, Denial>(
        _ operation: InternalOperation<Request, Answer, Denial>, _ request: Request, for call: ClientCall,
        refusedAs refusal: Refusal? = nil
    ) async throws(Refusal) -> Answer {
        let answer = try await self.answer(operation, request, for: call, refusedAs: refusal)
        if let refusal = answer.refusal { throw refusal }
        return answer
    }
}

extension Optional {
    /// A member that the answer must have, such as the proof of a right code. Without it the service does not work.
    func orUnavailable() throws(Refusal) -> Wrapped {
        guard let self else { throw .unavailable }
        return self
    }
}
