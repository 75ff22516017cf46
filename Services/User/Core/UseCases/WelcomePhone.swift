import EmailAddresses
import InternalAPI
import PhoneNumbers
import Policies

/// Decides whether a code may be sent to a phone number. In a closed app, codes are sent only to users and invited people, and on
/// request only to users, by email address too.
struct WelcomePhone: Sendable {
    let queries: any UserQueries
    let policy: Policy
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns whether a code may be sent. Invalid phone numbers are let through, because otp-service refuses them.
    func callAsFunction(_ request: WelcomeRequest) async throws -> WelcomeAnswer {
        let usersOnly = request.usersOnly == true
        if usersOnly, let address = email(request.phone) {
            return WelcomeAnswer(isWelcome: try await queries.isOwned(.email(address)))
        }
        guard usersOnly || policy.accounts.newUsers.phone == .invited, let phone = phone(request) else {
            return WelcomeAnswer(isWelcome: true)
        }
        let identity = VerifiedIdentity.phone(phone.e164)
        // All are read for every phone number, so that the time does not reveal users or invited people.
        let isOwned = try await queries.isOwned(identity)
        let isInvited = try await queries.invitation(of: identity, now: now()) != nil
        let isAwaited = try await queries.isAwaited(phone.e164)
        return WelcomeAnswer(isWelcome: isOwned || !usersOnly && (isInvited || isAwaited))
    }

    private func email(_ typed: String) -> String? {
        do throws(EmailAddressProblem) { return try EmailAddress(parsing: typed).text } catch { return nil }
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
