import AuthAPI
import EdgeHTTP
import InternalAPI

/// Sign-in by mail (in howru, the fallback to codes by message).
extension NativeDialect {
    /// `POST /auth/magic-link/request`: sends a code and a link.
    @Sendable func requestMail(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(MailRequestBody.self)
        let order = RequestMail.Order(
            email: body.email, challenge: body.challenge,
            locales: AcceptedLanguages.tags(request.head, after: body.locale))
        try await useCases.requestMail(order, ClientCall(request))
        return .json(
            MailRequestReply(
                success: true, status: "pending", message: "Sign-in mail sent", expiresIn: mail?.lifetimeSeconds ?? 0))
    }

    /// `POST /auth/magic-link/verify`: exchanges the link's token, or the code, for a session.
    @Sendable func verifyMail(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(MailVerifyBody.self)
        let signedIn = try await useCases.signInByMail(
            try Self.proof(body), OpenSession.Wishes(dialect: name, name: body.name, deviceName: body.deviceName),
            ClientCall(request))
        return reply(to: request, signedIn)
    }

    /// `GET /auth/magic-link`: shows the page of a link that no app opens.
    @Sendable func showLink(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        guard let mail else { throw .notFound }
        return mail.page.reply(query: request.head.query, locales: AcceptedLanguages.tags(request.head))
    }

    /// `POST /webhooks/resend`: receives the delivery status of mails.
    @Sendable func takeWebhook(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        func field(_ name: StaticString) throws(Refusal) -> String {
            guard let value = request.head.text(name) else { throw .forgedWebhook }
            return value
        }
        let webhook = MailWebhook(
            id: try field("svix-id"), timestamp: try field("svix-timestamp"), signature: try field("svix-signature"),
            body: String(decoding: request.body, as: UTF8.self))
        try await useCases.takeCallback.mail(webhook, ClientCall(request))
        return .json(WebhookReceived())
    }

    private static func proof(_ body: MailVerifyBody) throws(Refusal) -> SignInByMail.Proof {
        switch (body.token, body.verifier, body.email, body.code) {
        case (let token?, let verifier?, nil, nil): .link(token: token, verifier: verifier)
        case (nil, nil, let email?, let code?): .code(code, email: email)
        case (nil, nil, nil, _): throw .invalidBody(.missing(member: "email"))
        case (nil, nil, _?, nil): throw .invalidBody(.missing(member: "code"))
        case (_?, nil, nil, nil): throw .invalidBody(.missing(member: "verifier"))
        // The body mixes the members of a link and those of a code.
        default: throw .invalid(member: "token")
        }
    }
}

/// The response to a webhook.
struct WebhookReceived: Codable {
    var received = true
}
