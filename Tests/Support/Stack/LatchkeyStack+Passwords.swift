package import AuthAPI

/// Somebody with an address and a password.
package struct PasswordUser: Sendable {
    package let address: String
    package var password: String
    package let signIn: LoginReply
}

extension LatchkeyStack {
    /// A link that came by mail.
    package struct MailedLink: Sendable {
        package let path: String
        package let token: String
    }

    package static let freshPassword = "a long walk in the rain"

    /// The newest mail to an address that has a link to `path`, once there is one that is none of `seen`.
    ///
    /// After a kill of user-service mails wait until the lease of its outbox has run out.
    ///
    /// - Parameter seen: tokens of links that came earlier.
    package func mailedLink(
        to address: String, at path: String, after seen: Set<String> = []
    ) async throws -> MailedLink {
        var found: String?
        try await eventually("a link to \(path) arrives") {
            found = try await messages(to: address).lazy.compactMap(\.link)
                .filter { $0.contains(path + "?token=") }.compactMap { $0.split(separator: "=").last.map(String.init) }
                .first { !seen.contains($0) }
            return found != nil
        }
        return MailedLink(path: path, token: found ?? "")
    }

    package func register(
        _ address: String, password: String = freshPassword, name: String? = nil
    ) async throws -> HTTPAnswer {
        try await gateway.post(
            "/auth/register", encoding: RegisterBody(email: address, password: password, name: name))
    }

    /// Logs in; who is told to come later, since too much is hashed, does so as an app would.
    package func logIn(_ address: String, _ password: String = freshPassword) async throws -> HTTPAnswer {
        try await patiently {
            try await gateway.post("/auth/login", encoding: LoginBody(email: address, password: password))
        }
    }

    /// Registers, confirms by the mail's link and logs in.
    package func newPasswordUser(
        _ address: String = freshAddress(), password: String = freshPassword, name: String? = nil
    ) async throws -> PasswordUser {
        let registered = try await patiently { try await register(address, password: password, name: name) }
        guard registered.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/register", registered) }
        let link = try await mailedLink(to: address, at: "/auth/verify-email")
        let confirmed = try await patiently {
            try await gateway.post(link.path, encoding: AccountLinkBody(token: link.token, password: password))
        }
        guard confirmed.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/verify-email", confirmed) }
        let answer = try await logIn(address, password)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/login", answer) }
        return PasswordUser(address: address, password: password, signIn: try answer.decoded())
    }
}
