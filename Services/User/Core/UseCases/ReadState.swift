import InternalAPI
import Policies
import ServiceCalls
import ServiceKit
import Storage

/// Shows an administrator the state of the deployment and counts over time. The record of it is durable before others are asked; an
/// unavailable service is missing in the answer.
struct ReadState: Sendable {
    private static let spendHours: Int64 = 24

    var store: any UserStore
    let policy: Policy
    let state: ProcessState
    let counter: HourlyCounter
    let tokenService: ServiceClient
    let otpService: ServiceClient
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `StorageError`.
    func today(requestID: String?) async throws -> TodayReport {
        try await note("today", requestID)
        async let token = known { () async throws(ServiceUnavailable) in
            try await tokenService.call(StateOperations.state, requestID: requestID)
        }
        async let otp = known { () async throws(ServiceUnavailable) in
            try await otpService.call(StateOperations.state, requestID: requestID)
        }
        async let spend = known { () async throws(ServiceUnavailable) in
            try await otpService.waiting(TimeLimit.ofServices, for: OTPOperations.guardReport.path)
                .call(OTPOperations.guardReport, GuardReportRequest(hours: Self.spendHours), requestID: requestID)
        }
        return TodayReport(user: await state.report(policy), token: await token, otp: await otp, spend: await spend)
    }

    /// - Throws: `InvalidInput` for the days; `StorageError`.
    func series(_ request: SeriesRequest, requestID: String?) async throws -> CountSeries {
        try request.require()
        try await note("series", requestID)
        async let token = known { () async throws(ServiceUnavailable) in
            try await tokenService.call(StateOperations.series, request, requestID: requestID)
        }
        let (from, counts) = try await counter.sums(steps: request.steps, of: request.stepSeconds)
        let others = await token
        // At the turn of a step the two services may begin at different ones; the next answer has both.
        let isWhole = others?.from == from
        return CountSeries(
            from: from, stepSeconds: request.stepSeconds,
            counts: counts.merging(isWhole ? others?.counts ?? [:] : [:]) { zip($0, $1).map(&+) },
            missing: isWhole ? [] : [tokenService.service])
    }

    /// Records that the administrator reads the policy.
    func notePolicy(requestID: String?) async throws { try await note("policy", requestID) }

    private func note(_ purpose: String, _ requestID: String?) async throws {
        try await store.note([.audit(.lookUp(purpose, .byOperator(requestID)))], now: now())
    }

    /// The answer of a service, or `nil` if it is unavailable.
    private func known<Answer, Refusal>(
        _ call: () async throws(ServiceUnavailable) -> OperationOutcome<Answer, Refusal>
    ) async -> Answer? {
        do throws(ServiceUnavailable) {
            guard case .answer(let answer) = try await call() else { return nil }
            return answer
        } catch { return nil }
    }
}

extension ReadState: StoreBound {}
