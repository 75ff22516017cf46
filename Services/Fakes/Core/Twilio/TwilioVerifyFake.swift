import CryptoPrimitives
import Delivery
import FoundationEssentials
import Hummingbird
import ServiceHTTP
import Synchronization

/// Twilio Verify as far as it sends and checks codes (integration guide 1.2): create, check, update, fetch, Service.
///
/// It keeps Twilio's own limits: ten minutes, five messages, five checks. The effect of another `CustomCode` while a verification
/// is open is not documented. Here the code of the open one is sent again, so that a service that forgets to close it first sends
/// people an invalid code.
final class TwilioVerifyFake: Sendable {
    static let provider = "twilio-verify"
    private static let seconds: Int64 = 600
    private static let sendsMax = 5
    private static let checksMax = 5
    private static let countMax = 100_000

    struct Verification: Sendable {
        let sid: String
        let to: String
        var channel: String
        let code: String
        var status = "pending"
        var sends = 0
        var checks = 0
        let createdAt: Int64
    }

    private let messages: PhoneMessages
    private let script: Script
    private let now: @Sendable () -> Int64
    /// The open verifications by phone number.
    private let open = Mutex<[String: Verification]>([:])

    init(messages: PhoneMessages, script: Script, now: @escaping @Sendable () -> Int64) {
        self.messages = messages
        self.script = script
        self.now = now
    }

    func add(to router: Router<BasicRequestContext>) {
        let path = "/v2/Services/:service"
        router.post(RouterPath(path + "/Verifications")) { request, context in
            try await self.answer("create", request, context, status: 201) { form throws(TwilioFault) in
                try self.create(form)
            }
        }
        router.post(RouterPath(path + "/Verifications/:id")) { request, context in
            try await self.answer("update", request, context, status: 200) { form throws(TwilioFault) in
                try self.update(Self.id(context), to: try form.required("Status"))
            }
        }
        router.get(RouterPath(path + "/Verifications/:id")) { request, context in
            try await self.answer("fetch", request, context, status: 200) { _ throws(TwilioFault) in
                try self.fetch(Self.id(context))
            }
        }
        router.post(RouterPath(path + "/VerificationCheck")) { request, context in
            try await self.answer("check", request, context, status: 201) { form throws(TwilioFault) in
                try self.check(form)
            }
        }
        router.get(RouterPath(path)) { request, context in
            do throws(TwilioFault) {
                _ = try await TwilioRequest(request)
                let step = self.script.next(Self.provider, of: "service")
                try step?.throwFault()
                if let raw = step?.rawResponse { return raw }
                return try self.service(context.parameters.get("service") ?? "")
            } catch { return try error.response() }
        }
    }

    /// Removes all open verifications.
    func removeAll() { open.withLock { $0 = [:] } }

    private func answer(
        _ operation: String, _ request: Request, _ context: BasicRequestContext, status: Int,
        _ act: (TwilioRequest) throws(TwilioFault) -> Verification
    ) async throws -> Response {
        let step = script.next(Self.provider, of: operation)
        do throws(TwilioFault) {
            let form = try await TwilioRequest(request)
            try step?.throwFault()
            // A scripted refusal has no effect. A scripted response, a pause or a lost response comes after the effect.
            if let raw = step?.rawResponse, step?.status.map({ $0 >= 300 }) ?? false {
                return try await self.paused(step, raw)
            }
            let verification = try act(form)
            let response = try self.response(verification, form, context, status)
            return try await self.paused(step, step?.rawResponse ?? response)
        } catch { return try error.response() }
    }

    private func paused(_ step: Script.Step?, _ response: Response) async throws(TwilioFault) -> Response {
        if let seconds = step?.hang {
            do { try await Task.sleep(for: .seconds(seconds)) } catch { throw .internalError }
        }
        if step?.drop == true { throw .internalError }
        return response
    }

    private func create(_ form: TwilioRequest) throws(TwilioFault) -> Verification {
        let (to, channel) = (try form.required("To"), try form.required("Channel"))
        guard to.hasPrefix("+"), (8...16).contains(to.utf8.count) else { throw .invalid("To", to) }
        guard ["sms", "call", "whatsapp"].contains(channel) else { throw .invalid("Channel", channel) }
        if let code = form["CustomCode"], !(4...10).contains(code.utf8.count) { throw .invalid("CustomCode", "length") }
        let verification = try sent(to, channel, code: form["CustomCode"])
        messages.add(
            PhoneMessages.Item(
                id: verification.sid, provider: Self.provider, channel: channel, to: to,
                text: "Your Latchkey verification code is: \(verification.code)", code: verification.code,
                fields: form.fields, createdAt: now()))
        return verification
    }

    private func sent(_ to: String, _ channel: String, code: String?) throws(TwilioFault) -> Verification {
        let new = Verification(
            sid: "VE" + Hex.encode(SecureRandom.bytes(16)), to: to, channel: channel,
            code: code ?? Self.randomCode(), createdAt: now())
        let result = open.withLock { open -> Verification? in
            if open.count >= Self.countMax { open = open.filter { isOpen($0.value) } }
            var verification = open[to].flatMap { isOpen($0) ? $0 : nil } ?? new
            guard verification.sends < Self.sendsMax else { return nil }
            verification.sends += 1
            verification.channel = channel
            open[to] = verification
            return verification
        }
        guard let result else { throw TwilioFault(code: 60_203, status: 429, message: "Max send attempts reached") }
        return result
    }

    private func check(_ form: TwilioRequest) throws(TwilioFault) -> Verification {
        let code = try form.required("Code")
        guard let key = form["To"] ?? form["VerificationSid"] else {
            throw TwilioFault(
                code: 60_221, status: 400, message: "Missing required parameters `To` or `VerificationSid`")
        }
        enum Outcome {
            case checked(Verification)
            case tooMany, unknown
        }
        let outcome = open.withLock { open -> Outcome in
            guard let to = self.number(key, open), var verification = open[to], isOpen(verification) else {
                return .unknown
            }
            guard verification.checks < Self.checksMax else { return .tooMany }
            verification.checks += 1
            if verification.code == code { verification.status = "approved" }
            open[to] = verification.status == "approved" ? nil : verification
            return .checked(verification)
        }
        switch outcome {
        case .checked(let verification): return verification
        case .tooMany: throw TwilioFault(code: 60_202, status: 429, message: "Max check attempts reached")
        case .unknown: throw .notFound("VerificationCheck")
        }
    }

    private func update(_ id: String, to status: String) throws(TwilioFault) -> Verification {
        guard status == "approved" || status == "canceled" else { throw .invalid("Status", status) }
        let ended = open.withLock { open -> Verification? in
            guard let to = self.number(id, open), var verification = open[to], isOpen(verification) else { return nil }
            verification.status = status
            open[to] = nil
            return verification
        }
        guard let ended else { throw .notFound("/Verifications/\(id)") }
        return ended
    }

    private func fetch(_ id: String) throws(TwilioFault) -> Verification {
        let known = open.withLock { open in
            self.number(id, open).flatMap { open[$0] }.flatMap { isOpen($0) ? $0 : nil }
        }
        guard let known else { throw .notFound("/Verifications/\(id)") }
        return known
    }

    private func isOpen(_ verification: Verification) -> Bool { verification.createdAt + Self.seconds > now() }

    /// - Parameter id: a phone number, or a verification's SID.
    private func number(_ id: String, _ open: [String: Verification]) -> String? {
        id.hasPrefix("VE") ? open.first { $0.value.sid == id }?.key : id
    }

    private static func id(_ context: BasicRequestContext) -> String {
        (context.parameters.get("id") ?? "").replacing("%2B", with: "+")
    }

    private static func randomCode() -> String {
        SecureRandom.bytes(6).map { String($0 % 10) }.joined()
    }

    private func service(_ sid: String) throws(TwilioFault) -> Response {
        do {
            return try jsonResponse(
                Service(sid: sid, friendly_name: "Latchkey", code_length: 6, custom_code_enabled: true))
        } catch { throw .internalError }
    }

    private func response(
        _ verification: Verification, _ form: TwilioRequest, _ context: BasicRequestContext, _ status: Int
    ) throws(TwilioFault) -> Response {
        let date = Date(timeIntervalSince1970: Double(now())).formatted(.iso8601)
        let body = Body(
            sid: verification.sid, service_sid: context.parameters.get("service") ?? "", account_sid: form.account,
            to: verification.to, channel: verification.channel, status: verification.status,
            valid: verification.status == "approved", date_created: date, date_updated: date)
        do { return try jsonResponse(body, status: .init(code: status)) } catch { throw .internalError }
    }

    private struct Service: Encodable {
        let sid, friendly_name: String
        let code_length: Int
        let custom_code_enabled: Bool
    }

    private struct Body: Encodable {
        let sid, service_sid, account_sid, to, channel, status: String
        let valid: Bool
        let lookup: [String: String] = [:]
        let amount: String? = nil
        let payee: String? = nil
        let date_created, date_updated: String
    }
}
