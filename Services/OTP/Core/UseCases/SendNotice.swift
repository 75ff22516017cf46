import CryptoPrimitives
import Delivery
import EmailAddresses
import InternalAPI
import Logging

/// Sends a mail that tells somebody of his account.
struct SendNotice: Sendable {
    /// What came of it.
    enum Result: Sendable, Equatable {
        /// It went out, or nobody can be reached there.
        case done
        /// The provider did not take it; a repeat may do.
        case failed
    }

    let letter: NoticeLetter
    let sender: any MessageSender
    let bars: AddressBars
    let secrets: CodeSecrets
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    /// - Throws: `InvalidCall`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ notice: MailNotice) async throws -> Result {
        let address: EmailAddress
        do throws(EmailAddressProblem) { address = try EmailAddress(parsing: notice.to) } catch {
            throw InvalidCall(member: "to")
        }
        guard notice.hasFittingToken else { throw InvalidCall(member: "token") }
        let tag = secrets.tag(.email(address))
        if try await bars.isBarred(tag) { return .done }
        let message = Message(
            id: notice.id, channel: RequestMail.channel, recipient: address.text, content: letter.written(notice),
            locale: nil, clientAddress: "")
        do throws(DeliveryFailure) { _ = try await sender.send(message) } catch {
            logger.error(
                "notice.send.failed",
                metadata: [
                    "provider": "\(sender.provider)", "failure": "\(error.label)", "message.id": "\(notice.id)",
                ])
            guard error == .undeliverable else { return .failed }
            try await bars.note(.bounced, of: now(), to: tag)
        }
        return .done
    }
}

extension MailNotice {
    private static let tokenLength = 22...128

    /// Whether it has a token if its kind needs one, and one that is safe in a link.
    fileprivate var hasFittingToken: Bool {
        switch kind {
        case .accountDeletion, .addressKnown, .passwordChanged: token == nil
        case .confirmRegistration, .confirmRegistrationByLink, .passwordReset, .invitation:
            token.map { Self.tokenLength.contains($0.utf8.count) && Base64URL.decode($0) != nil } ?? false
        }
    }
}
