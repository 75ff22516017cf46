public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension LatchkeyAuth {
    /// Sends a request to your API with the access token.
    ///
    /// The request keeps its own header fields; `Authorization` gets the token. The token goes to the base URL's host, and to
    /// the hosts in ``Configuration/alsoSendTo``; a request to any other host is sent as it is. If the API answers 401, the
    /// token is renewed and the request is sent again, once. A request whose body is a stream is not sent again. Redirects
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
        if reply.isInactive {
            throw .refused(status: reply.status, code: Reply.inactive, requestID: reply.requestID)
        }
        return try reply.success()
    }

    /// Sends a request with a token, and after 401 with another one if there is any. Returns the last response.
    ///
    /// A 403 that says that the account is inactive may be an API's own. The token is renewed, and the server's answer to that
    /// decides.
    private func repeated<Answer: Answered>(
        _ token: String, mayRepeat: Bool = true, _ send: (_ bearer: String) async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        let first = try await send(token)
        let isForbidden = first.isInactive
        guard isForbidden || first.status == 401 && mayRepeat else { return first }
        let next: String
        do throws(AuthError) {
            next = try await accessToken(insteadOf: token)
        } catch {
            if error == .refusedAgain || isForbidden && error.keepsSession && error != .cancelled { return first }
            throw error
        }
        return isForbidden ? first : try await send(next)
    }
}

/// A response to a request with the access token.
private protocol Answered {
    var status: Int { get }
    /// Whether it says that the account is inactive.
    var isInactive: Bool { get }
}

extension Reply: Answered {}

/// The response of an app's API.
private struct APIAnswer: Answered {
    let data: Data
    let response: HTTPURLResponse

    var status: Int { response.statusCode }
    var isInactive: Bool { status == 403 && Reply(data, response).isInactive }
}
