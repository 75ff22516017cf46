import InternalAPI
import PhoneNumbers
import Policies

/// Tells whether a number may have a code: in a closed app nothing is sent to who is neither a user nor invited.
struct WelcomePhone: Sendable {
    let queries: any UserQueries
    let policy: Policy
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// What is no number is otp-service's to refuse.
    func callAsFunction(_ request: WelcomeRequest) async throws -> WelcomeAnswer {
        guard policy.accounts.newUsers.phone == .invited, let phone = phone(request) else {
            return WelcomeAnswer(isWelcome: true)
        }
        let identity = ProvedIdentity.phone(phone.e164)
        // Both are read for every number, so that the time does not tell users, invited and others apart.
        let isHeld = try await queries.isHeld(identity)
        let isInvited = try await queries.invitation(of: identity, now: now()) != nil
        return WelcomeAnswer(isWelcome: isHeld || isInvited)
    }

    private func phone(_ request: WelcomeRequest) -> PhoneNumber? {
        let dialect = policy.dialects.first { $0.name == request.dialect ?? Dialect.native }
        do throws(PhoneNumberProblem) {
            return try PhoneNumber(
                parsing: request.phone, region: request.region ?? dialect?.defaultRegion ?? policy.defaultRegion)
        } catch {
            return nil
        }
    }
}
