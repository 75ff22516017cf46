import Hummingbird
import ServiceHTTP

/// The API by which tests and developers read and control the fakes:
///
/// `GET /fakes/mails?to=`, `DELETE /fakes/mails`, `POST /fakes/script` (a list of `Script.Step`), `DELETE /fakes/script`,
/// `GET /fakes/script` (the number of steps that were `used`),
/// `GET /fakes/messages?to=`, `DELETE /fakes/messages` (text messages and calls; open verifications are removed too),
/// `POST /fakes/twilio` (`{"sid":"SM…","status":"undelivered","errorCode":30003}`: a callback as Twilio sends it),
/// `POST /fakes/twilio/signature` (`{"url":"…","body":"…","signature":"…"}`: 204 if our check accepts it, 403 if not),
/// `POST /fakes/events` (`{"type":"email.bounced","to":"…"}`: a webhook as Resend sends it).
struct FakeControl: Sendable {
    let mails: MailStore
    let script: Script
    let resend: ResendFake
    let messages: PhoneMessages
    let verify: TwilioVerifyFake
    let messaging: TwilioMessagingFake

    private static let bodyBytesMax = 1 << 20

    /// A callback whose signature is to be checked.
    private struct Signed: Decodable { let url, body, signature: String }

    func add(to router: Router<BasicRequestContext>) {
        router.get("/fakes/mails") { request, _ in
            try jsonResponse(mails.all(to: request.uri.queryParameters["to"].map(String.init)))
        }
        router.delete("/fakes/mails") { _, _ in
            mails.removeAll()
            return Response(status: .noContent)
        }
        router.get("/fakes/messages") { request, _ in
            let to = request.uri.queryParameters["to"].map { String($0).replacing(" ", with: "+") }
            return try jsonResponse(messages.all(to: to))
        }
        router.delete("/fakes/messages") { _, _ in
            messages.removeAll()
            verify.removeAll()
            return Response(status: .noContent)
        }
        router.post("/fakes/twilio") { request, _ in
            let wish = try await FakeJSON.decode(TwilioCallbacks.Wish.self, from: request, upTo: Self.bodyBytesMax)
            return Response(status: await messaging.tell(wish) == 204 ? .noContent : .conflict)
        }
        router.post("/fakes/twilio/signature") { request, _ in
            let signed = try await FakeJSON.decode(Signed.self, from: request, upTo: Self.bodyBytesMax)
            return Response(
                status: messaging.believes(signed.url, signed.body, signed.signature) ? .noContent : .forbidden)
        }
        router.post("/fakes/script") { request, _ in
            script.append(try await FakeJSON.decode([Script.Step].self, from: request, upTo: Self.bodyBytesMax))
            return Response(status: .noContent)
        }
        router.get("/fakes/script") { _, _ in try jsonResponse(["used": script.used]) }
        router.delete("/fakes/script") { _, _ in
            script.clear()
            return Response(status: .noContent)
        }
        router.post("/fakes/events") { request, _ in
            let event = try await FakeJSON.decode(ResendEvents.Wish.self, from: request, upTo: Self.bodyBytesMax)
            return Response(status: try await resend.tell(event) ? .noContent : .conflict)
        }
    }
}
