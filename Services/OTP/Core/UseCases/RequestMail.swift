import CryptoPrimitives
import Delivery
import EmailAddresses
import InternalAPI
import Policies

/// Sends a sign-in mail: a code, and a link for the client that keeps the secret of the request's challenge.
struct RequestMail: Sendable {
    static let channel = SenderLine.mailChannel

    let send: SendCode
    let letter: SignInLetter
    let blocks: AddressBlocks

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which nothing is sent.
    func callAsFunction(_ request: MailRequest) async throws -> OTPRequestAnswer {
        var challenge: VerifierChallenge?
        if let text = request.challenge {
            guard let known = VerifierChallenge(text) else { throw InvalidInput(member: "challenge") }
            challenge = known
        }
        let address: EmailAddress
        do throws(EmailAddressProblem) { address = try EmailAddress(parsing: request.email) } catch {
            return counted(OTPRequestAnswer(.invalidEmail), nil)
        }
        let recipient = send.subjects.secrets.tag(.email(address))
        if try await blocks.isBlocked(recipient) { return counted(OTPRequestAnswer(.undeliverable), address) }
        var order = order(request, address, challenge)
        // The mail server itself has reported it, so that the next request need not ask it.
        order.noteUndeliverable = { try await blocks.note(.bounced, of: send.now(), to: recipient) }
        return counted(try await send(order), address)
    }

    private func order(_ request: MailRequest, _ address: EmailAddress, _ challenge: VerifierChallenge?) -> CodeOrder {
        let subjects = send.subjects
        let back =
            subjects.rules.dialect == Dialect.supabase
            ? MailReturn(challenge: challenge?.text, redirect: request.redirect) : nil
        let linked = back?.hasLink == false ? nil : challenge
        return CodeOrder(
            recipient: .email(address), channel: Self.channel, purpose: request.purpose, userID: request.userID,
            address: request.address, isVouchedFor: false,
            callID: request.callID,
            asking: ["request", challenge?.text ?? ""] + (request.redirect.map { [$0] } ?? []),
            locale: request.locales.first, isSilent: request.isUnwelcome == true,
            write: { code, seed in
                let place = try subjects.place(of: request.purpose, request.userID).name
                let token = try linked.map { challenge in
                    let token = LinkToken(address: address, seed: seed)
                    guard let sealed = token.sealed(for: challenge, request.purpose, place: place, by: subjects.secrets)
                    else { throw ChallengeStoreFailure("a link could not be sealed") }
                    return sealed
                }
                return letter.written(
                    code: code, token: token, back: back, for: request.purpose, locales: request.locales)
            })
    }

    private func counted(_ answer: OTPRequestAnswer, _ address: EmailAddress?) -> OTPRequestAnswer {
        OTPMetrics.requested(answer.result, by: Self.channel, address.map { .email($0) })
        return answer
    }
}
