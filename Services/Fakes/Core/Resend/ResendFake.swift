import CryptoPrimitives
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceHTTP
import StrictJSON
import Synchronization

/// Resend's API as far as it sends mail: `POST /emails`, `GET /emails/{id}` (integration guide 2.1).
final class ResendFake: Sendable {
    /// One send under an idempotency key.
    private enum Send {
        case underWay
        case done(id: String)
    }

    private static let bodyBytesMax = 1 << 20
    private static let keyLengthMax = 256
    /// The number of keys that are remembered; the real service remembers them for a day.
    private static let keyCountMax = 10_000

    private let mails: MailStore
    private let script: Script
    private let events: ResendEvents?
    private let now: @Sendable () -> Int64
    private let sends = Mutex<[String: (body: [UInt8], send: Send)]>([:])

    init(mails: MailStore, script: Script, events: ResendEvents?, now: @escaping @Sendable () -> Int64) {
        self.mails = mails
        self.script = script
        self.events = events
        self.now = now
    }

    func add(to router: Router<BasicRequestContext>) {
        router.post("/emails") { request, _ in
            do throws(ResendError) { return try await self.send(request) } catch { return try error.response() }
        }
        router.get("/emails/:id") { request, context in
            do {
                try Self.authorize(request)
                guard let mail = context.parameters.get("id").flatMap(self.mails.mail) else {
                    throw ResendError.notFound
                }
                return try jsonResponse(Retrieved(mail))
            } catch let error as ResendError { return try error.response() }
        }
    }

    /// Reports an event about the newest mail to an address to the webhook.
    ///
    /// - Returns: whether there is a webhook that accepted it.
    func tell(_ wish: ResendEvents.Wish) async throws -> Bool {
        guard let events else { return false }
        return try await events.tell(wish, about: mails.all(to: wish.to).first)
    }

    private func send(_ request: Request) async throws(ResendError) -> Response {
        let step = script.next("resend")
        if let seconds = step?.hang {
            do { try await Task.sleep(for: .seconds(seconds)) } catch { throw .internalError }
        }
        try Self.authorize(request)
        if let status = step?.status {
            throw ResendError(status: status, name: step?.name ?? "application_error", headers: step?.headers ?? [:])
        }
        let bytes: [UInt8]
        do { bytes = Array(try await request.body.collect(upTo: Self.bodyBytesMax).readableBytesView) } catch {
            throw .invalid("the body is too large")
        }
        let id = try await take(bytes, key: Self.key(request))
        if step?.drop == true { throw .internalError }
        do {
            var response = try jsonResponse(["id": id])
            for (name, value) in step?.headers ?? [:] { HTTPField.Name(name).map { response.headers[$0] = value } }
            return response
        } catch { throw .internalError }
    }

    private func take(_ bytes: [UInt8], key: String?) async throws(ResendError) -> String {
        let body: ResendBody
        do { body = try StrictJSON.decode(ResendBody.self, from: bytes, limits: .own) } catch {
            throw .invalid("the body is not what was expected")
        }
        try body.check()
        let id = UUIDText.random()
        if let key, let known = try begin(key, bytes, id: id) { return known }
        let mail = body.mail(id: id, at: now())
        mails.add(mail)
        await events?.sendStatus(of: mail)
        return id
    }

    /// - Returns: the id of an earlier send with this key, or `nil` if there was none.
    private func begin(_ key: String, _ body: [UInt8], id: String) throws(ResendError) -> String? {
        let known = sends.withLock { sends -> (body: [UInt8], send: Send)? in
            if let known = sends[key] { return known }
            if sends.count >= Self.keyCountMax { sends = [:] }
            sends[key] = (body, .done(id: id))
            return nil
        }
        guard let known else { return nil }
        guard known.body == body else { throw .otherBody }
        guard case .done(let id) = known.send else { throw .concurrent }
        return id
    }

    private static func authorize(_ request: Request) throws(ResendError) {
        guard let value = request.headers[.authorization], value.hasPrefix("Bearer ") else { throw .missingKey }
        guard value.hasPrefix("Bearer re_") else { throw .invalidKey }
    }

    private static func key(_ request: Request) throws(ResendError) -> String? {
        guard let key = HTTPField.Name("Idempotency-Key").flatMap({ request.headers[$0] }) else { return nil }
        guard (1...keyLengthMax).contains(key.count) else { throw .invalidIdempotencyKey }
        return key
    }

    /// The response to a request for one mail.
    private struct Retrieved: Encodable {
        let object = "email"
        let id, from, subject: String
        let to: [String]
        let html, text: String?
        let last_event = "delivered"

        init(_ mail: MailStore.Mail) {
            (id, from, subject, to) = (mail.id, mail.from, mail.subject, mail.to)
            (html, text) = (mail.html, mail.text)
        }
    }
}
