import CoreMetrics
import CryptoPrimitives
import Delivery
import EmailAddresses
import InternalAPI
import Logging

/// Sends a mail about an account to its owner.
///
/// A complaint about spam does not hold it back, since its owner may need it to get in again; an address at which nothing
/// arrives does.
struct SendNotice: Sendable {
    let letter: NoticeLetter
    let sender: any MessageSender
    let blocks: AddressBlocks
    let secrets: CodeSecrets
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    /// Succeeds also if mail cannot be delivered to the address, except for the notice of a removal.
    ///
    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ notice: MailNotice) async throws -> OperationOutcome<Done, NoticeRefusal> {
        let address: EmailAddress
        do throws(EmailAddressProblem) { address = try EmailAddress(parsing: notice.to) } catch {
            throw InvalidInput(member: "to")
        }
        guard notice.hasFittingToken else { throw InvalidInput(member: "token") }
        let tag = secrets.tag(.email(address))
        if try await blocks.swallows(notice.kind, to: tag) {
            noteSwallowed(notice)
            return notice.unsent
        }
        let message = Message(
            id: notice.id, channel: RequestMail.channel, recipient: address.text, content: letter.written(notice),
            locale: nil, clientAddress: "")
        do throws(DeliveryFailure) { _ = try await sender.send(message) } catch {
            var facts = error.metadata
            facts["provider"] = "\(sender.provider)"
            facts["message.id"] = "\(notice.id)"
            logger.error("notice.send.failed", metadata: facts)
            guard error.reason == .undeliverable else { return .refused(.providerError) }
            try await blocks.note(.bounced, of: now(), to: tag)
            return notice.unsent
        }
        return .answer(Done())
    }

    private func noteSwallowed(_ notice: MailNotice) {
        Counter(label: "auth_account_mails_swallowed_total", dimensions: [("kind", notice.kind.rawValue)]).increment()
        logger.warning(
            "notice.swallowed", metadata: ["kind": "\(notice.kind.rawValue)", "message.id": "\(notice.id)"])
    }
}

extension MailNotice {
    private static let tokenLength = 22...128
    private static let codeLength = 6...10

    /// Whether the notice has a token if its kind needs one, and one that is safe in a link.
    var hasFittingToken: Bool {
        guard hasFittingCode else { return false }
        return switch kind {
        case .accountDeletion, .addressKnown, .inactivity: token == nil
        case .confirmRegistration, .confirmRegistrationByLink, .passwordReset, .invitation, .confirmAddress,
            .passwordChanged, .identityChanged, .newDevice, .phoneChange, .merge, .passkeyAdded, .passkeyWaits,
            .passkeyRemoved, .passkeyCounter:
            // A mail back to an app may have a code alone.
            token == nil && code != nil && back?.hasLink == false
                || token.map { Self.tokenLength.contains($0.utf8.count) && Base64URL.decode($0) != nil } ?? false
        }
    }

    /// Whether the notice has no code, or one of digits in a mail whose link may be replaced by it.
    private var hasFittingCode: Bool {
        guard let code else { return back == nil }
        return [.confirmRegistration, .confirmRegistrationByLink, .passwordReset].contains(kind)
            && Self.codeLength.contains(code.utf8.count) && code.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
