public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension LatchkeyAuth {
    /// Sends a request to your API with the access token.
    ///
    /// The request keeps its own header fields; `Authorization` gets the token. The token goes to the base URL's host, and to
    /// the hosts in ``Configuration/alsoSendTo``; a request to any other host is sent as it is. If the API answers 401, the
    /// token is renewed and the request is sent again, once. A request whose body is a stream is not sent again. If the API wants a
    /// more recent authentication, ``onReauthenticate(_:)`` comes before that. Redirects
    /// are not followed. If the caller's task is cancelled, the call throws ``AuthError/cancelled``, and a renewal goes on.
    ///
    /// - Returns: the response, whatever its status: a second 401 is returned as it is.
    public func data(for request: URLRequest) async throws(AuthError) -> (Data, HTTPURLResponse) {
        let baseURL = engine.api.baseURL
        guard let url = request.url, baseURL.mayKnowToken(url, otherHosts: configuration.alsoSendTo) else {
            let answer = try await send(request, bearer: nil)
            return (answer.data, answer.response)
        }
        let token = try await accessToken()
        let answer = try await repeated(token, mayRepeat: request.httpBodyStream == nil) { bearer throws(AuthError) in
            try await self.send(request, bearer: bearer)
        }
        return (answer.data, answer.response)
    }

    private func send(_ request: URLRequest, bearer: String?) async throws(AuthError) -> APIAnswer {
        var request = request
        if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
        do {
            let (data, response) = try await configuration.transport.send(request)
            return APIAnswer(data: data, response: response)
        } catch {
            throw AuthError(transport: error)
        }
    }

    /// Sends a request to the server's own API with the access token, and a second time after 401.
    @discardableResult
    func authorized(_ call: API.Call) async throws(AuthError) -> JSONValue {
        let token = try await accessToken()
        let reply = try await repeated(token) { bearer throws(AuthError) in
            var call = call
            call.bearer = bearer
            return try await self.engine.api.send(call)
        }
        // The session is still there.
        if reply.objection == .inactive {
            throw .refused(status: reply.status, code: Reply.inactive, requestID: reply.requestID)
        }
        // A removal may have nothing to say.
        if call.method == .delete, reply.status == 204 { return .object([:]) }
        return try reply.success()
    }

    /// Sends a request with a token, and after 401 with another one if there is any. Returns the last response.
    ///
    /// A 403 that says that the account is inactive may be an API's own. The token is renewed, and the server's answer to that
    /// decides.
    private func repeated<Answer: Answered>(
        _ token: String, mayRepeat: Bool = true, _ send: (_ bearer: String) async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        let user = engine.record?.userID
        let first = try await send(token)
        guard let objection = first.objection, objection == .inactive || mayRepeat else { return first }
        let next: String
        do throws(AuthError) {
            switch objection {
            case .token: next = try await accessToken(insteadOf: token)
            case .recency:
                try await askUser(for: token)
                // With 403 the server judges the session and not the token.
                let usable = first.isForbidden ? engine.usableToken : nil
                if let usable { next = usable } else { next = try await accessToken(insteadOf: token) }
            case .inactive:
                _ = try await accessToken(insteadOf: token)
                return first
            }
        } catch {
            if error == .refusedAgain || error == .reauthenticationRequired { return first }
            if objection == .inactive && error.keepsSession && error != .cancelled { return first }
            throw error
        }
        // Another user may have signed in meanwhile, whose request this is not.
        guard engine.record?.userID == user else { throw sessionIsOver }
        return try await send(next)
    }
}

/// A response to a request with the access token.
private protocol Answered {
    /// Its objection to the session.
    var objection: Reply.Objection? { get }
    /// Whether its status is 403.
    var isForbidden: Bool { get }
}

extension Reply: Answered {}

/// The response of an app's API.
private struct APIAnswer: Answered {
    let data: Data
    let response: HTTPURLResponse

    var isForbidden: Bool { response.statusCode == 403 }
    /// Codes that are not Latchkey's are the API's own.
    var objection: Reply.Objection? { Reply(data, response).objection ?? (response.statusCode == 401 ? .token : nil) }
}
