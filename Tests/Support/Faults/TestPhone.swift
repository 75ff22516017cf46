package import AuthAPI
import CryptoPrimitives
import FoundationEssentials
package import InternalAPI
import StrictJSON

/// A session as the phone that holds it knows it.
package struct HeldSession: Sendable {
    package let id: String
    package let user: String
    package let isNewUser: Bool
    package var accessToken: String
    package var refreshToken: String
    /// The key of the next rotation: made anew for each, and kept until that one is answered; nil: none is sent.
    package var rotationKey: String? = UUID().uuidString
}

/// A phone: it signs in, looks around, refreshes and signs out, and notes all that it is answered.
package struct TestPhone: Sendable {
    private static let codeLimit = Patience.limit

    private let stack: LatchkeyStack
    private let gateway: TestHTTPClient
    private let recorder: HistoryRecorder
    private let number: Int

    /// - Parameter gateway: connections of its own; else those that all share.
    package init(
        _ number: Int, of stack: LatchkeyStack, gateway: TestHTTPClient? = nil, recorder: HistoryRecorder
    ) {
        self.number = number
        self.stack = stack
        self.gateway = (gateway ?? stack.gateway).observed { recorder.note($0) }
        self.recorder = recorder
    }

    /// Has a session opened without a code, which needs token-service alone.
    package func openSession() async throws -> HeldSession {
        let user = LatchkeyStack.freshUser()
        var operation = Operation(.signIn)
        operation.client = number
        operation.user = user
        var opened: TokenSet?
        await recorder.record(operation) {
            let tokens = try await stack.openSession(of: user)
            opened = tokens
            return .issued(Issue(tokens))
        }
        guard let opened else { throw NotOpened() }
        return HeldSession(
            id: opened.sessionID, user: user, isNewUser: false, accessToken: opened.accessToken,
            refreshToken: opened.refreshToken)
    }

    /// A session could not be opened, though nothing was disturbed.
    package struct NotOpened: Error { package init() {} }

    /// The outcome of an attempt to sign in.
    package enum SignIn: Sendable {
        /// No code came: nothing was acknowledged.
        case withoutCode
        case signedIn(HeldSession, restored: Bool)
        /// The right code was refused, or never answered.
        case refused
    }

    /// Signs in with a new phone number, or each third time with a new email address; returns `nil` if that failed.
    package func signIn() async throws -> HeldSession? {
        let isByMail = Int.random(in: 0..<3) == 0
        let signedIn = isByMail ? try await signInByMail() : try await signIn(as: LatchkeyStack.freshPhone())
        guard case .signedIn(let session, _) = signedIn else { return nil }
        return session
    }

    /// Signs in with a number, presenting its code with one key until there is an answer.
    package func signIn(as phone: String) async throws -> SignIn {
        let code: String
        do {
            try await stack.requestCode(for: phone)
            code = try await stack.code(for: phone)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return .withoutCode
        }
        let proof = Proof(
            path: "/auth/otp/verify", body: OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: code),
            challenge: "\(phone) \(code)")
        return try await untilAnswered { try await verify(proof) } ?? .refused
    }

    /// Signs in with a new email address, by the link or code of one mail; then tries the rest of the mail.
    private func signInByMail() async throws -> SignIn {
        let mail: AskedMail
        do { mail = try await stack.askForMail() } catch is CancellationError {
            throw CancellationError()
        } catch {
            return .withoutCode
        }
        let bodies = [mail.byLink, mail.byCode].shuffled()
        // One mail, one session: code and link are the same challenge.
        let proofs = bodies.map {
            Proof(path: "/auth/magic-link/verify", body: $0, challenge: "\(mail.address) \(mail.message.id)")
        }
        let signedIn = try await untilAnswered { try await verify(proofs[0]) } ?? .refused
        _ = try await verify(proofs[1])
        return signedIn
    }

    /// A credential that is presented for a session, always with the same key.
    private struct Proof: Sendable {
        let path: String
        let body: any Encodable & Sendable
        /// The identifier of the code or link in the history.
        let challenge: String
        let key = UUID().uuidString
    }

    /// Makes a request of the app's API.
    @discardableResult
    package func call(_ session: HeldSession) async -> Outcome {
        var operation = begun(.call, session)
        operation.presented = TokenDigest(of: session.accessToken)
        return await recorder.record(operation) {
            Outcome(status: try await gateway.get("/api/hello", bearer: session.accessToken).status)
        }
    }

    /// Rotates the session's token, with the same key until there is an answer; false when it was refused or never answered.
    package func refresh(_ session: inout HeldSession) async throws -> Bool {
        let held = session
        let rotated = try await untilAnswered { try await rotate(held) }
        guard let rotated = rotated ?? nil else { return false }
        session = rotated
        return true
    }

    /// Signs out; false when that was not acknowledged.
    package func logOut(_ session: HeldSession) async throws -> Bool {
        try await untilAnswered {
            let outcome = await askToLogOut(session)
            return outcome == .unknown ? nil : outcome == .accepted
        } ?? false
    }

    /// Asks once to be signed out.
    package func askToLogOut(_ session: HeldSession) async -> Outcome {
        await recorder.record(begun(.endSession, session)) {
            let body = LogoutBody(refreshToken: session.refreshToken)
            return Outcome(status: try await gateway.post("/auth/logout", encoding: body).status)
        }
    }

    /// Asks once for the account to be deleted.
    package func askToDelete(_ session: HeldSession) async -> Outcome {
        // Noted as the end of this session, since sign-ins do not note whose they are.
        await recorder.record(begun(.endSession, session)) {
            let bearer = [("Authorization", "Bearer \(session.accessToken)")]
            return Outcome(status: try await gateway.send("DELETE", "/users/me", headers: bearer).status)
        }
    }

    /// Returns the outcome of one presentation, or `nil` without a response.
    private func verify(_ proof: Proof) async throws -> SignIn? {
        var operation = Operation(.signIn)
        operation.client = number
        operation.challenge = proof.challenge
        operation.idempotencyKey = proof.key
        var reply: SignInReply?
        let outcome = await recorder.record(operation) {
            let answer = try await gateway.post(
                proof.path, encoding: proof.body, headers: [("Idempotency-Key", proof.key)])
            // A code that the server does not know, e.g. after Redis has lost it.
            if answer.status == 400 { return .refused }
            guard answer.status == 200 else { return Outcome(status: answer.status) }
            let signedIn: SignInReply = try answer.decoded()
            reply = signedIn
            return .issued(try Issue(signedIn.tokens))
        }
        guard let reply, let issue = outcome.issue else { return outcome == .unknown ? nil : .refused }
        let session = HeldSession(
            id: issue.session, user: reply.user.id, isNewUser: reply.isNewUser,
            accessToken: reply.tokens.accessToken, refreshToken: reply.tokens.refreshToken)
        return .signedIn(session, restored: reply.restored == true)
    }

    /// Presents the session's refresh token once.
    ///
    /// - Returns: the session with its new tokens; nil inside: refused; nil outside: no answer.
    package func rotate(_ session: HeldSession) async throws -> HeldSession?? {
        var operation = begun(.refresh, session)
        operation.presented = TokenDigest(of: session.refreshToken)
        operation.idempotencyKey = session.rotationKey
        var reply: TokenReply?
        let outcome = await recorder.record(operation) {
            let answer = try await gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: session.refreshToken),
                headers: session.rotationKey.map { [("Idempotency-Key", $0)] } ?? [])
            guard answer.status == 200 else { return Outcome(status: answer.status) }
            let tokens: TokenReply = try answer.decoded()
            reply = tokens
            return .issued(try Issue(tokens))
        }
        guard let reply else { return outcome == .unknown ? .none : .some(nil) }
        var rotated = session
        rotated.accessToken = reply.accessToken
        rotated.refreshToken = reply.refreshToken
        rotated.rotationKey = session.rotationKey.map { _ in UUID().uuidString }
        return rotated
    }

    private func begun(_ kind: Operation.Kind, _ session: HeldSession) -> Operation {
        var operation = Operation(kind)
        operation.client = number
        operation.session = session.id
        operation.user = session.user
        return operation
    }
}

// MARK: - Passwords

extension TestPhone {
    /// Logs in once by a password; the history identifies the user by the address.
    ///
    /// - Returns: the session; nil inside: refused; nil outside: no answer.
    package func logIn(_ address: String, _ password: String) async throws -> HeldSession?? {
        var operation = Operation(.signIn)
        operation.client = number
        operation.user = address
        operation.password = TokenDigest(of: password)
        var tokens: TokenReply?
        let outcome = await recorder.record(operation) {
            let answer = try await gateway.post(
                "/auth/login", encoding: LoginBody(email: address, password: password),
                headers: [("Idempotency-Key", UUID().uuidString)])
            guard answer.status == 200 else { return Outcome(status: answer.status) }
            let login = try answer.decoded(LoginReply.self).tokens
            let reply = TokenReply(
                accessToken: login.accessToken, refreshToken: login.refreshToken, expiresIn: login.expiresIn)
            tokens = reply
            return .issued(try Issue(reply))
        }
        guard let tokens, let issue = outcome.issue else { return outcome == .unknown ? .none : .some(nil) }
        return HeldSession(
            id: issue.session, user: address, isNewUser: false, accessToken: tokens.accessToken,
            refreshToken: tokens.refreshToken)
    }

    /// Sets a password by a link, with the same key until there is an answer; false when that was not acknowledged.
    package func setPassword(_ password: String, of address: String, by link: PlantedLink) async throws -> Bool {
        let call = try passwordCall(password, of: address, by: link)
        return try await untilAnswered { await isSet(by: call) } ?? false
    }

    /// Asks once for a password by a link, with a key of its own.
    package func askToSetPassword(
        _ password: String, of address: String, by link: PlantedLink
    ) async throws -> Outcome {
        await send(try passwordCall(password, of: address, by: link))
    }

    /// Changes the password in a session that the policy spares; false when that was not acknowledged.
    package func changePassword(
        of address: String, from old: String, to new: String, in session: HeldSession
    ) async throws -> Bool {
        var operation = Operation(.setPassword)
        operation.user = address
        operation.password = TokenDigest(of: new)
        operation.sparedSession = session.id
        let body = ChangePasswordBody(oldPassword: old, newPassword: new)
        let call = try passwordCall(operation, "/auth/change-password", body, bearer: session.accessToken)
        return try await untilAnswered { await isSet(by: call) } ?? false
    }

    /// A request for another password, the same to the byte however often: another order of members is another body.
    private struct PasswordCall {
        let operation: Operation
        let path: String
        let headers: [(String, String)]
        let body: [UInt8]
    }

    private func passwordCall(
        _ password: String, of address: String, by link: PlantedLink
    ) throws -> PasswordCall {
        var operation = Operation(.setPassword)
        operation.user = address
        operation.password = TokenDigest(of: password)
        operation.link = TokenDigest(of: link.token).description
        return try passwordCall(
            operation, link.path, AccountLinkBody(token: link.token, password: password), bearer: nil)
    }

    private func passwordCall(
        _ operation: Operation, _ path: String, _ body: some Encodable, bearer: String?
    ) throws -> PasswordCall {
        var operation = operation
        let key = UUID().uuidString
        operation.client = number
        operation.idempotencyKey = key
        let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key)]
        return PasswordCall(
            operation: operation, path: path,
            headers: headers + (bearer.map { [("Authorization", "Bearer \($0)")] } ?? []),
            body: Array(try JSONEncoder().encode(body)))
    }

    /// Returns `nil` without a response.
    private func isSet(by call: PasswordCall) async -> Bool? {
        switch await send(call) {
        case .accepted: true
        case .refused: false
        default: nil
        }
    }

    private func send(_ call: PasswordCall) async -> Outcome {
        await recorder.record(call.operation) {
            Outcome(status: try await gateway.send("POST", call.path, headers: call.headers, body: call.body).status)
        }
    }
}

extension Issue {
    /// The tokens of token-service's own answer.
    package init(_ tokens: TokenSet) {
        self.init(
            session: tokens.sessionID, refreshToken: TokenDigest(of: tokens.refreshToken),
            accessToken: TokenDigest(of: tokens.accessToken))
    }

    /// The tokens of a reply; the session is the `sid` that the access token claims.
    package init(_ tokens: TokenReply) throws {
        let parts = tokens.accessToken.split(separator: ".")
        guard parts.count == 3, let claims = Base64URL.decode(String(parts[1])),
            let session = try StrictJSON.parse(claims, limits: .init(bytesMax: 1 << 14, depthMax: 8))["sid"]?
                .stringValue
        else { throw StrangeToken() }
        self.init(
            session: session, refreshToken: TokenDigest(of: tokens.refreshToken),
            accessToken: TokenDigest(of: tokens.accessToken))
    }

    /// An access token without a session.
    package struct StrangeToken: Error {}
}
