import InternalAPI

/// Does for an administrator what other services do for the operator. The record of it is durable before they are asked.
struct ReadDeployment: Sendable {
    var store: any UserStore
    let queries: any UserQueries
    let tokenService: ServiceClient
    let otpService: ServiceClient
    /// The region of phone numbers without a calling code, or `nil` if they are invalid.
    let defaultRegion: String?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// The signing keys.
    ///
    /// - Throws: `ServiceUnavailable`; `StorageError`.
    func keys(requestID: String?) async throws -> KeyList {
        try await note("keys", requestID)
        return try await tokenService.call(KeyOperations.list, NoBody(), requestID: requestID).answer
    }

    /// The cost of messages, and the budgets.
    ///
    /// - Throws: `InvalidInput` for the hours; `ServiceUnavailable`; `StorageError`.
    func spend(_ request: GuardReportRequest, requestID: String?) async throws -> GuardReport {
        guard (1...GuardReportRequest.hoursMax).contains(request.hours) else { throw InvalidInput(member: "hours") }
        try await note("spend", requestID)
        return try await answer(otpService.call(OTPOperations.guardReport, request, requestID: requestID))
    }

    /// The events of messages to a phone number or an email address, whose holder the record is about.
    ///
    /// - Throws: `InvalidInput` for a member of the request; `ServiceUnavailable`; `StorageError`.
    func trace(_ request: TraceRequest, requestID: String?) async throws -> TraceAnswer {
        guard (1...TraceRequest.hoursMax).contains(request.hours) else { throw InvalidInput(member: "hours") }
        guard let identity = VerifiedIdentity(typed: request.to, region: defaultRegion) else {
            throw InvalidInput(member: "to")
        }
        try await note("trace", of: try await queries.find(.identity(identity))?.user, requestID)
        let whole = TraceRequest(
            to: identity.value, hours: request.hours, administrator: RequestOrigin.ofAdministrator?.method)
        return try await answer(otpService.call(OTPOperations.trace, whole, requestID: requestID))
    }

    /// Lifts a phone number's own lockout and limits.
    ///
    /// - Throws: `InvalidInput` for the number; `ServiceUnavailable`; `StorageError`.
    func unlock(_ request: NumberRequest, requestID: String?) async throws -> UnlockedNumber {
        guard let identity = VerifiedIdentity(typed: request.phone, region: defaultRegion) else {
            throw InvalidInput(member: "phoneNumber")
        }
        try await note("unlock", of: try await queries.find(.identity(identity))?.user, requestID)
        let whole = NumberRequest(phone: identity.value, administrator: RequestOrigin.ofAdministrator?.method)
        return try await answer(otpService.call(OTPOperations.unlock, whole, requestID: requestID))
    }

    func note(_ purpose: String, of user: User? = nil, _ requestID: String?) async throws {
        try await store.note([.audit(.lookUp(purpose, of: user, .byOperator(requestID)))], now: now())
    }

    /// The answer of a request that was checked already.
    func answer<Answer>(_ outcome: OperationOutcome<Answer, InvalidRequestOnly>) throws -> Answer {
        guard case .answer(let answer) = outcome else { throw InvalidInput(member: "to") }
        return answer
    }
}

extension ReadDeployment: StoreBound {}
