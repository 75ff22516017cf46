import CryptoPrimitives
import Delivery
import EmailAddresses
import InternalAPI
import Policies
import ServiceKit

/// The operator's tools for mail: to test whether it is sent, and to unblock an address.
struct ManageMail: Sendable {
    let appName: String
    let sender: any MessageSender
    let blocks: AddressBlocks
    let secrets: CodeSecrets

    /// Sends a test mail that describes itself. A blocked address gets it too.
    ///
    /// - Throws: `InvalidInput`.
    func sendTest(_ request: TestMessageRequest) async throws -> TestMailAnswer {
        let address = try Self.address(MailAddressRequest(to: request.to))
        let text = "This is a test mail from \(appName). Its operator sent it to check the mail settings.\n"
        let message = Message(
            id: UUIDText.random(), channel: RequestMail.channel, recipient: address.text,
            content: Message.Content(
                subject: "Test mail from \(appName)", text: text,
                html: LetterPage.html(
                    title: "Test mail from \(appName)", body: "<p>\(text.escapedForHTML)</p>",
                    appName: appName, locale: "en", direction: .leftToRight)),
            locale: nil, clientAddress: "")
        do throws(DeliveryFailure) {
            return TestMailAnswer(id: try await sender.send(message), provider: sender.provider)
        } catch {
            return TestMailAnswer(
                provider: sender.provider, failure: error.reason.rawValue, code: error.providerCode,
                detail: error.detail)
        }
    }

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func clear(_ request: MailAddressRequest, noting note: NoteOperator) async throws -> ClearedAddress {
        let tag = secrets.tag(.email(try Self.address(request)))
        try await note(.blockLifted, about: tag)
        return ClearedAddress(wasBarred: try await blocks.clear(tag))
    }

    /// Returns whether mail is sent to an address, and the mails that were held back.
    ///
    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func standing(_ request: MailAddressRequest) async throws -> MailStanding {
        try await blocks.standing(of: secrets.tag(.email(try Self.address(request))))
    }

    private static func address(_ request: MailAddressRequest) throws(InvalidInput) -> EmailAddress {
        do throws(EmailAddressProblem) { return try EmailAddress(parsing: request.to) } catch {
            throw InvalidInput(member: "to")
        }
    }
}
