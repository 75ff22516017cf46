import Hummingbird
import ServiceHTTP

/// How tests and developers see and steer the fakes:
///
/// `GET /fakes/mails?to=`, `DELETE /fakes/mails`, `POST /fakes/script` (a list of `Script.Step`), `DELETE /fakes/script`,
/// `POST /fakes/events` (`{"type":"email.bounced","to":"…"}`: a webhook as Resend sends it).
struct FakeControl: Sendable {
    let mails: MailStore
    let script: Script
    let resend: ResendFake

    private static let bodyBytesMax = 1 << 20

    func add(to router: Router<BasicRequestContext>) {
        router.get("/fakes/mails") { request, _ in
            try jsonResponse(mails.all(to: request.uri.queryParameters["to"].map(String.init)))
        }
        router.delete("/fakes/mails") { _, _ in
            mails.removeAll()
            return Response(status: .noContent)
        }
        router.post("/fakes/script") { request, _ in
            script.append(try await FakeJSON.decode([Script.Step].self, from: request, upTo: Self.bodyBytesMax))
            return Response(status: .noContent)
        }
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
