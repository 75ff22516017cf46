import AuthAPI
import ServiceCalls

/// The end of a session, which the page of the sign-in explains.
enum Note: String {
    case sessionOver, notAdministrator, signedOut

    var text: ConsoleText {
        switch self {
        case .sessionOver: .sessionOver
        case .notAdministrator: .notAdministrator
        case .signedOut: .signedOut
        }
    }
}

extension ConsoleSite {
    private static let deviceName = "Latchkey console"

    /// Returns the response to a request that needs no session, or `nil` if it needs one.
    func openPage(_ visit: Visit) async -> ConsoleReply? {
        switch (visit.path, visit.isPost) {
        case (["style.css"], false): return .style
        case (["sign-in"], false): return signInPage(visit, note: visit.query["note"].flatMap(Note.init)?.text)
        case (["sign-in"], true): return await answer(visit) { () throws(APIFailure) in try await requestCode(visit) }
        case (["sign-in", "code"], true):
            return await answer(visit) { () throws(APIFailure) in try await verifyCode(visit) }
        case (["sign-in", "factor"], true):
            return await answer(visit) { () throws(APIFailure) in try await verifyFactor(visit) }
        default: return nil
        }
    }

    /// Ends the session, and says why.
    func signOut(_ visit: Visit, _ session: AdminSession, note: Note) async -> ConsoleReply {
        if let cookie = visit.cookie { sessions.close(cookie) }
        await session.end(for: visit.browser)
        return .redirect(Self.signInPath(note)).setting("Set-Cookie", cookieField(visit, value: "") + "; Max-Age=0")
    }

    static func signInPath(_ note: Note) -> String { "/sign-in" + AdminPath.query([("note", note.rawValue)]) }

    private func signInPage(
        _ visit: Visit, recipient: String? = nil, mfaToken: String? = nil, note: ConsoleText? = nil,
        problem: String? = nil, status: Int = 200
    ) -> ConsoleReply {
        let frame = PageFrame(appName: appName, words: visit.words, guardText: nil)
        return .page(
            frame.page(
                visit.words(.signIn), notice: problem ?? note.map { visit.words($0) }, isProblem: problem != nil,
                "<section>\(SignInPage(recipient: recipient, mfaToken: mfaToken, frame: frame).body)</section>"),
            status: status)
    }

    /// Runs a step of the sign-in, or says on its form why it failed.
    private func answer(
        _ visit: Visit, _ step: () async throws(APIFailure) -> ConsoleReply
    ) async -> ConsoleReply {
        do throws(APIFailure) { return try await step() } catch {
            if case .needsFactor(let token) = error { return signInPage(visit, mfaToken: token) }
            let status = if case .refused(let status, _, _) = error { status } else { 503 }
            let isOfCode = visit.path.count > 1
            return signInPage(
                visit, recipient: isOfCode ? visit.form["to"] : nil, mfaToken: visit.form["mfa"],
                problem: words(of: error, visit), status: status)
        }
    }

    private func requestCode(_ visit: Visit) async throws(APIFailure) -> ConsoleReply {
        let (recipient, language) = (visit.form["to"] ?? "", visit.browser.language.rawValue)
        let call: APICall =
            recipient.contains("@")
            ? .post("/auth/magic-link/request", MailRequestBody(email: recipient, locale: language))
            : .post("/auth/otp/request", OTPRequestBody(phoneNumber: recipient, locale: language))
        _ = try await GatewayCalls.accepted(calls.send(call, for: visit.browser))
        return signInPage(visit, recipient: recipient)
    }

    private func verifyCode(_ visit: Visit) async throws(APIFailure) -> ConsoleReply {
        let (recipient, code) = (visit.form["to"] ?? "", visit.form["code"] ?? "")
        let call: APICall =
            recipient.contains("@")
            ? .post(
                "/auth/magic-link/verify",
                MailVerifyBody(email: recipient, code: code, deviceName: Self.deviceName))
            : .post(
                "/auth/otp/verify",
                OTPVerifyBody(phoneNumber: recipient, code: code, deviceName: Self.deviceName))
        return try await open(by: call, visit)
    }

    private struct SecondFactorBody: Encodable {
        let mfaToken: String
        let code, recoveryCode: String?
        let deviceName: String
    }

    /// Completes a sign-in by a code of an authenticator app, which is all digits, or a recovery code.
    private func verifyFactor(_ visit: Visit) async throws(APIFailure) -> ConsoleReply {
        let typed = (visit.form["code"] ?? "").filter { !$0.isWhitespace }
        let isOfApp = typed.count == 6 && typed.allSatisfy(\.isNumber)
        let body = SecondFactorBody(
            mfaToken: visit.form["mfa"] ?? "", code: isOfApp ? typed : nil, recoveryCode: isOfApp ? nil : typed,
            deviceName: Self.deviceName)
        return try await open(by: .post("/auth/mfa/verify", body), visit)
    }

    /// Opens a session of the console by a call that signs in.
    private func open(by call: APICall, _ visit: Visit) async throws(APIFailure) -> ConsoleReply {
        let body = try await GatewayCalls.accepted(calls.send(call, for: visit.browser))
        guard let reply = GatewayCalls.decoded(SignInReply.self, body) else { throw .unavailable }
        let session = AdminSession(reply.tokens, calls: calls)
        // Anybody can get this far; the API says who is an administrator.
        do throws(APIFailure) { _ = try await session.send(.get("/admin/keys"), for: visit.browser) } catch {
            if error != .unavailable {
                await session.end(for: visit.browser)
                if case .refused = error { throw error }
                return signInPage(visit, problem: visit.words(.notAdministrator), status: 403)
            }
        }
        if let cookie = visit.cookie { sessions.close(cookie) }
        await visit.session?.end(for: visit.browser)
        let id = sessions.open(session)
        return .redirect("").setting("Set-Cookie", cookieField(visit, value: id))
    }

    /// The cookie has no lifetime, so that it goes with the browser.
    private func cookieField(_ visit: Visit, value: String) -> String {
        let isSecure = visit.browser.isSecure
        let attributes = "Path=/; \(isSecure ? "Secure; " : "")HttpOnly; SameSite=Strict"
        return "\(Self.cookieName(isSecure: isSecure))=\(value); \(attributes)"
    }
}
