import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

/// A row of the table: what holds when the backup is made, what is asked for afterwards, and what a restore leaves of it.
struct RestoreCase: Sendable {
    /// A person of the row.
    struct Person: Sendable {
        var id = ""
        var phone = LatchkeyStack.freshPhone()
        /// Another number, which has no account.
        var otherPhone = LatchkeyStack.freshPhone()
        var address = LatchkeyStack.freshAddress()
        var otherAddress = LatchkeyStack.freshAddress()
        var refreshToken: String?
        /// A value from before the restore.
        var note = ""
    }

    typealias Act = @Sendable (RestoreScene, inout Person) async throws -> Void

    let name: String
    var isRemoved = false
    private let before, after, restored: Act
    private var person = Person()

    var id: String { person.id }

    /// - Parameters:
    ///   - before: happens before the backup; without it the person signs in.
    ///   - restored: what holds after the restore.
    init(
        _ name: String, isRemoved: Bool = false, before: @escaping Act = signsIn, after: @escaping Act,
        restored: @escaping Act
    ) {
        (self.name, self.isRemoved, self.before, self.after, self.restored) = (name, isRemoved, before, after, restored)
    }

    mutating func begin(_ scene: RestoreScene) async throws { try await before(scene, &person) }
    mutating func goOn(_ scene: RestoreScene) async throws { try await after(scene, &person) }

    /// Checks the row, and that all sessions of before have ended.
    func check(_ scene: RestoreScene) async throws {
        var person = person
        do {
            if let token = person.refreshToken {
                let answer = try await scene.stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: token))
                #expect(answer.status == 401, "\(name): \(answer.text)")
            }
            try await restored(scene, &person)
        } catch { Issue.record("\(name): \(error)") }
    }

    static let signsIn: Act = { scene, person in
        let signIn = try await scene.stack.signIn(phone: person.phone, name: "Anna")
        (person.id, person.refreshToken) = (signIn.user.id, signIn.tokens.refreshToken)
    }

    /// The person signs in by mail.
    static func signsInByMail(_ scene: RestoreScene, _ address: String) async throws -> SignInReply {
        let mail = try await scene.stack.askForMail(to: address)
        let answer = try await scene.stack.gateway.post("/auth/magic-link/verify", encoding: mail.byCode)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/magic-link/verify", answer) }
        return try answer.decoded()
    }

    /// Presses the button of the newest mail that verifies an address.
    static func confirms(_ scene: RestoreScene, _ address: String) async throws {
        let link = try await scene.stack.mailedLink(to: address, at: "/auth/confirm-address")
        let answer = try await scene.stack.gateway.send(
            "POST", link.path, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array("token=\(link.token)".utf8))
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST \(link.path)", answer) }
    }

    /// Sets a password by a mailed link.
    static func resets(_ scene: RestoreScene, _ address: String, to password: String) async throws {
        let asked = try await scene.stack.gateway.post(
            "/auth/forgot-password", encoding: AccountMailBody(email: address))
        guard asked.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/forgot-password", asked) }
        let link = try await scene.stack.mailedLink(to: address, at: "/auth/reset-password")
        let answer = try await patiently {
            try await scene.stack.gateway.post(
                link.path, encoding: AccountLinkBody(token: link.token, password: password))
        }
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST \(link.path)", answer) }
    }
}
