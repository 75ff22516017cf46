import EmailAddresses
import InternalAPI
import PhoneNumbers

/// Forgets the networks from which the holder of a phone number and an email address signed in, when the account is removed or
/// its password is reset, and voids the codes from before a new password.
///
/// Everything counted against guesses and messages stays: otherwise a deletion would refill it.
struct ForgetNetworks: Sendable {
    let secrets: CodeSecrets
    let store: any ChallengeStore
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which it may have been carried out or not. A repeat is harmless.
    func callAsFunction(_ request: ForgetNetworksRequest) async throws {
        for recipient in try Self.recipients(request) {
            try await store.forgetNetworks(
                of: secrets.tag(recipient), until: request.until, codesUntil: request.codesUntil, now: now())
        }
    }

    /// Reads all recipients, before any is forgotten.
    private static func recipients(_ request: ForgetNetworksRequest) throws(InvalidInput) -> [Recipient] {
        var recipients: [Recipient] = []
        if let phone = request.phone {
            do { recipients.append(.phone(try PhoneNumber(parsing: phone, region: nil))) } catch {
                throw InvalidInput(member: "phone")
            }
        }
        if let email = request.email {
            do { recipients.append(.email(try EmailAddress(parsing: email))) } catch {
                throw InvalidInput(member: "email")
            }
        }
        return recipients
    }
}
