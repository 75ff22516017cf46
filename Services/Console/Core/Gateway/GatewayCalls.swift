import FoundationEssentials
import ServiceCalls
import StrictJSON

/// The browser for which the console calls the API.
struct Browser: Sendable, Equatable {
    /// The gateway's statement of the browser's address, which goes back to the gateway as it came.
    let ticket: String
    let language: Language
    /// Whether its connection is over https.
    let isSecure: Bool
}

/// A call of the API: a method, a path with its query, a body, and headers of its own.
struct APICall: Sendable {
    var method = ProviderRequest.Method.get
    let path: String
    var body: [UInt8] = []
    var headers: [String: String] = [:]

    static func get(_ path: String) -> APICall { APICall(path: path) }

    static func post(_ path: String, _ body: some Encodable, headers: [String: String] = [:]) -> APICall {
        APICall(method: .post, path: path, body: json(body), headers: headers)
    }

    /// A change by an administrator.
    ///
    /// - Parameters:
    ///   - version: the version of the user that the administrator has seen; `nil` for a change of no user.
    ///   - reason: the administrator's reason, for the audit.
    static func change(
        _ method: ProviderRequest.Method, _ path: String, body: [UInt8] = [], version: String? = nil,
        reason: String? = nil
    ) -> APICall {
        var headers: [String: String] = [:]
        if let version { headers["If-Match"] = "\"\(version)\"" }
        if let reason { headers["Latchkey-Reason"] = reason }
        return APICall(method: method, path: path, body: body, headers: headers)
    }

    /// Encodes a body. The bodies have only texts and numbers, which always can be.
    static func json(_ body: some Encodable) -> [UInt8] {
        do { return try StrictJSON.encode(body) } catch { return [] }
    }
}

/// Calls of the API, through the gateway.
struct GatewayCalls: Sendable {
    /// The body of a refusal, in the shape of any document.
    private struct Problem: Decodable {
        let code: String?
        let detail: String?
        let title: String?
        let mfaToken: String?
    }

    static let answerBytesMax = 1 << 20
    /// How long a call may take: longer than the gateway waits for its services, so that it says what happened.
    static let limitSeconds: Int64 = 20

    let exchange: any ProviderExchange
    /// The gateway's URL, without a slash at its end.
    let base: String
    /// Is told why no response came.
    var report: @Sendable (any Error) -> Void = { _ in }

    /// Sends a call.
    ///
    /// - Throws: `unavailable` if no complete response came; `refused` if a form's text cannot be a header.
    func send(_ call: APICall, for browser: Browser, token: String? = nil) async throws(APIFailure) -> ProviderAnswer {
        var headers = call.headers
        headers["Latchkey-Console"] = browser.ticket
        if let token { headers["Authorization"] = "Bearer \(token)" }
        guard headers.values.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw .refused(status: 400, code: "invalid_request", detail: nil)
        }
        let request = ProviderRequest(call.method, url: base + call.path, headers: headers, body: call.body)
        do { return try await exchange.send(request, within: .seconds(Self.limitSeconds)) } catch {
            report(error)
            throw .unavailable
        }
    }

    /// Returns the body of a successful response, or throws what the response says.
    static func accepted(_ answer: ProviderAnswer) throws(APIFailure) -> [UInt8] {
        guard !(200..<300).contains(answer.status) else { return answer.body }
        let problem = decoded(Problem.self, answer.body)
        switch (answer.status, problem?.code) {
        // The change is made, and earlier sessions are still being ended.
        case (503, "change_pending"): return answer.body
        case (401, "invalid_code"), (401, "code_expired"), (401, "second_factor_refused"),
            (403, "reauthentication_failed"):
            throw .refused(status: answer.status, code: "invalid_code", detail: nil)
        case (401, "insufficient_user_authentication"):
            throw .refused(status: 401, code: "insufficient_user_authentication", detail: nil)
        case (403, "second_factor_required"): throw .needsFactor(mfaToken: problem?.mfaToken ?? "")
        case (401, _): throw .signedOut
        case (403, "reauthentication_required"): throw .needsProof
        case (403, "forbidden"), (403, "account_inactive"): throw .notAdministrator
        case (412, _): throw .changedMeanwhile
        case (500..., _): throw .unavailable
        default:
            throw .refused(
                status: answer.status, code: problem?.code ?? "", detail: problem?.detail ?? problem?.title)
        }
    }

    /// Decodes a body, or returns `nil` if it is not of this type.
    static func decoded<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) -> Value? {
        do { return try JSONDecoder().decode(type, from: Data(body)) } catch { return nil }
    }
}
