import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension RestoreCase {
    static var all: [RestoreCase] { accounts + identities + rights + people + providers }

    private static let newPassword = "another long walk, in the sun"

    private static var accounts: [RestoreCase] {
        [
            RestoreCase("the end of all sessions") { scene, person in
                try await scene.done("sessions revoke --user \(person.id)")
            } restored: { scene, person in
                holds(try await scene.stack.signIn(phone: person.phone).user.id == person.id)
            },
            RestoreCase("a deletion") { scene, person in
                try await scene.done("users delete \(person.id)")
                person.note = try await scene.shown("deletion due", of: person.id) ?? ""
            } restored: { scene, person in
                holds(try await scene.shown("deletion due", of: person.id) == person.note, "at the promised time")
            },
            RestoreCase(
                "a withdrawn deletion",
                before: {
                    try await signsIn($0, &$1)
                    try await $0.done("users delete \($1.id)")
                },
                after: { scene, person in
                    try await scene.done("users restore \(person.id)")
                },
                restored: { scene, person in
                    holds(try await scene.shown("deletion due", of: person.id) == "-")
                }),
            RestoreCase("a removal", isRemoved: true) { scene, person in
                try await scene.done("users delete \(person.id) --now")
            } restored: { scene, person in
                holds(try await scene.shown("role", of: person.id) == nil)
                holds(try await scene.stack.signIn(phone: person.phone).user.id != person.id)
            },
            RestoreCase(
                "another password",
                before: {
                    let signIn = try await $0.stack.newPasswordUser($1.address).signIn
                    ($1.id, $1.refreshToken) = (signIn.user.id, signIn.tokens.refreshToken)
                },
                after: { scene, person in
                    try await resets(scene, person.address, to: newPassword)
                },
                restored: { scene, person in
                    for password in [LatchkeyStack.freshPassword, newPassword] {
                        holds(try await scene.stack.logIn(person.address, password).status == 401)
                    }
                    try await resets(scene, person.address, to: newPassword)
                    let again = try await scene.stack.logIn(person.address, newPassword).decoded(LoginReply.self)
                    #expect(again.user.id == person.id)
                }),
        ]
    }

    private static var identities: [RestoreCase] {
        [
            RestoreCase("another number") { scene, person in
                try await scene.done("users change \(person.id) --phone '\(person.otherPhone)'")
            } restored: { scene, person in
                holds(try await scene.stack.signIn(phone: person.otherPhone).user.id == person.id)
                holds(try await scene.stack.signIn(phone: person.phone).user.id != person.id)
            },
            RestoreCase("a number that the user replaced") { scene, person in
                let token = try await scene.stack.signIn(phone: person.phone).tokens.accessToken
                let asked = try await scene.stack.gateway.post(
                    "/users/me/phone/request", #"{"phoneNumber":"\#(person.otherPhone)"}"#, bearer: token)
                #expect(asked.status == 200, "\(asked.text)")
                let code = try await scene.stack.code(for: person.otherPhone)
                let changed = try await scene.stack.gateway.post(
                    "/users/me/phone", #"{"phoneNumber":"\#(person.otherPhone)","code":"\#(code)"}"#, bearer: token)
                #expect(changed.status == 200, "\(changed.text)")
            } restored: { scene, person in
                holds(try await scene.stack.signIn(phone: person.otherPhone).user.id == person.id)
                holds(try await scene.stack.signIn(phone: person.phone).user.id != person.id)
            },
            RestoreCase(
                "a merged account",
                before: {
                    try await signsIn($0, &$1)
                    $1.note = try await $0.stack.signIn(phone: $1.otherPhone).user.id
                },
                after: { scene, person in
                    let token = try await scene.stack.signIn(phone: person.phone).tokens.accessToken
                    func post(_ path: String, _ body: String) async throws -> HTTPAnswer {
                        try await scene.stack.gateway.post("/users/me/" + path, body, bearer: token)
                    }
                    let number = #""phoneNumber":"\#(person.otherPhone)""#
                    #expect(try await post("phone/request", "{\(number)}").status == 200)
                    let code = try await scene.stack.code(for: person.otherPhone)
                    let taken = try await post("phone", #"{\#(number),"code":"\#(code)"}"#).decoded(Problem.self)
                    let merge = #"{"mergeToken":"\#(taken.mergeToken ?? "")","keepPhone":"other"}"#
                    #expect(try await post("merge", merge).status == 200)
                },
                restored: { scene, person in
                    holds(try await scene.shown("merged into", of: person.note) == person.id)
                    holds(try await scene.stack.signIn(phone: person.otherPhone).user.id == person.id)
                    let again = try await scene.stack.signIn(phone: person.phone).user.id
                    holds(again != person.id && again != person.note)
                }),
            RestoreCase(
                "another address",
                before: {
                    let signIn = try await signsInByMail($0, $1.address)
                    ($1.id, $1.refreshToken) = (signIn.user.id, signIn.tokens.refreshToken)
                },
                after: { scene, person in
                    try await scene.done("users change \(person.id) --email '\(person.otherAddress)'")
                    try await confirms(scene, person.otherAddress)
                },
                restored: { scene, person in
                    holds(try await signsInByMail(scene, person.otherAddress).user.id == person.id)
                    holds(try await signsInByMail(scene, person.address).user.id != person.id)
                }),
            RestoreCase(
                "an unverified address",
                before: {
                    try await signsIn($0, &$1)
                    try await $0.done("users change \($1.id) --email '\($1.address)'")
                    $1.note = try await $0.stack.mailedLink(to: $1.address, at: "/auth/confirm-address").token
                }, after: { _, _ in },
                restored: { scene, person in
                    let answer = try await scene.stack.gateway.send(
                        "POST", "/auth/confirm-address",
                        headers: [("Content-Type", "application/x-www-form-urlencoded")],
                        body: Array("token=\(person.note)".utf8))
                    #expect(answer.status == 400, "links are invalid: \(answer.text)")
                    holds(try await signsInByMail(scene, person.address).user.id != person.id)
                }),
            RestoreCase("renumbering") { scene, person in
                try await scene.done("users renumber --from '\(person.phone)' --to '\(person.otherPhone)'")
            } restored: { scene, person in
                holds(try await scene.stack.signIn(phone: person.phone).user.id == person.id)
                let again = try await scene.done("users renumber --from '\(person.phone)' --to '\(person.otherPhone)'")
                #expect(again.contains("1 renamed"), "\(again)")
            },
        ]
    }

    private static var rights: [RestoreCase] {
        [
            RestoreCase("a name and an attribute") { scene, person in
                try await scene.done("users change \(person.id) --name Berta --attribute isChecker=true")
            } restored: { scene, person in
                holds(try await scene.shown("name", of: person.id) == "Anna")
                holds(try await scene.shown("attribute isChecker", of: person.id) == "false")
            },
            RestoreCase("a deactivation") { scene, person in
                try await scene.done("users change \(person.id) --active false")
            } restored: { scene, person in
                holds(try await scene.shown("active", of: person.id) == "no")
            },
            RestoreCase(
                "a lost role",
                before: {
                    try await signsIn($0, &$1)
                    try await $0.done("users change \($1.id) --role admin")
                },
                after: { scene, person in
                    try await scene.done("users change \(person.id) --role user")
                },
                restored: { scene, person in
                    holds(try await scene.shown("role", of: person.id) == "user")
                }),
            RestoreCase(
                "a reactivation",
                before: {
                    try await signsIn($0, &$1)
                    try await $0.done("users change \($1.id) --active false")
                },
                after: { scene, person in
                    try await scene.done("users change \(person.id) --active true")
                },
                restored: { scene, person in
                    holds(try await scene.shown("active", of: person.id) == "no")
                }),
            RestoreCase("a new role") { scene, person in
                try await scene.done("users change \(person.id) --role admin")
            } restored: { scene, person in
                holds(try await scene.shown("role", of: person.id) == "user")
            },
            RestoreCase(
                "a new signing key",
                before: { $1.note = try await keys($0).joined(separator: " ") },
                after: { scene, person in
                    try await scene.done("keys rotate --now")
                    person.note = (person.note.split(separator: " ").map(String.init) + (try await keys(scene))).joined(
                        separator: " ")
                },
                restored: { scene, person in
                    let table = try await scene.done("keys list")
                    for line in table.split(separator: "\n").dropFirst() {
                        let isOld = person.note.split(separator: " ").contains { line.contains($0) }
                        #expect(!isOld || line.contains("revoked") || line.contains("retired"), "\(table)")
                    }
                }),
        ]
    }

    private static func keys(_ scene: RestoreScene) async throws -> [String] {
        try await scene.done("keys list").split(separator: "\n").dropFirst().compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
    }

    private static var people: [RestoreCase] {
        [
            RestoreCase(
                "an invitation", before: { _, _ in },
                after: { try await $0.done("users invite '\($1.address)' --role editor") },
                restored: { scene, person in
                    holds(try await !scene.done("users list").contains(person.address))
                    holds(try await signsInByMail(scene, person.address).user.role == "user")
                }),
            RestoreCase(
                "a used invitation", before: { try await $0.done("users invite '\($1.phone)' --role editor") },
                after: { try await signsIn($0, &$1) },
                restored: { scene, person in
                    let user = try await scene.stack.signIn(phone: person.phone).user
                    #expect(user.id != person.id && user.role == "user")
                }),
            RestoreCase(
                "a registration",
                before: { scene, person in
                    let address = person.address
                    let registered = try await patiently { try await scene.stack.register(address) }
                    #expect(registered.status == 200, "\(registered.text)")
                    person.note = try await scene.stack.mailedLink(to: address, at: "/auth/verify-email").token
                }, after: { _, _ in },
                restored: { scene, person in
                    holds(try await confirmed(scene, person.note) == 400)
                    let resent = try await scene.stack.gateway.post(
                        "/auth/verify-email/resend", encoding: AccountMailBody(email: person.address))
                    #expect(resent.status == 200)
                    let link = try await scene.stack.mailedLink(
                        to: person.address, at: "/auth/verify-email", after: [person.note])
                    holds(try await confirmed(scene, link.token) == 200)
                }),
            RestoreCase(
                "an import", before: { _, _ in },
                after: { scene, person in
                    let output = try await imported(scene, person)
                    #expect(output.contains("added 1"), "\(output)")
                },
                restored: { scene, person in
                    let output = try await imported(scene, person)
                    #expect(output.contains("added 1"), "\(output)")
                }),
        ]
    }

    /// Requires that a row's condition holds. `#expect` does not compile with calls in a closure like these.
    private static func holds(_ condition: Bool, _ words: String = "", at place: SourceLocation = #_sourceLocation) {
        #expect(condition, "\(words)", sourceLocation: place)
    }

    private static var providers: [RestoreCase] {
        [
            told("a consent that ended at Apple", "consent-revoked") { holds($0) },
            told("an account that was deleted at Apple", "account-deleted") { holds(!$0) },
        ]
    }

    /// A row about a user with a phone number and an account at Apple, of which Apple reports an event.
    ///
    /// - Parameter judge: gets whether the account at Apple opens the user's account after the restore.
    private static func told(
        _ name: String, _ event: String, _ judge: @escaping @Sendable (Bool) -> Void
    ) -> RestoreCase {
        RestoreCase(
            name,
            before: { scene, person in
                person.note = "000123.\(UUID().uuidString.lowercased().prefix(13))"
                let identities = #","identities":[{"provider":"apple","subject":"\#(person.note)"}]"#
                let output = try await imported(scene, person, identities)
                #expect(output.contains("added 1"), "\(output)")
                try await signsIn(scene, &person)
            },
            after: { scene, person in
                let wish = #"{"type":"\#(event)","subject":"\#(person.note)"}"#
                let payload = try await scene.apple("/fakes/apple/notification", wish, "payload")
                let answer = try await scene.stack.gateway.post("/webhooks/apple", #"{"payload":"\#(payload)"}"#)
                #expect(answer.status == 200, "\(answer.text)")
            },
            restored: { scene, person in
                holds(try await scene.stack.signIn(phone: person.phone).user.id == person.id)
                judge(try await appleUser(scene, person.note) == person.id)
            })
    }

    /// The user who signs in with Apple.
    private static func appleUser(_ scene: RestoreScene, _ subject: String) async throws -> String {
        let token = try await scene.apple("/fakes/identity-token", #"{"subject":"\#(subject)"}"#, "identityToken")
        let answer = try await scene.stack.gateway.post("/auth/apple", #"{"identityToken":"\#(token)"}"#)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/apple", answer) }
        return try answer.decoded(SignInReply.self).user.id
    }

    /// The status of a registration's confirmation.
    private static func confirmed(_ scene: RestoreScene, _ token: String) async throws -> Int {
        let body = AccountLinkBody(token: token, password: LatchkeyStack.freshPassword)
        let answer = try await patiently {
            try await scene.stack.gateway.post("/auth/verify-email", encoding: body)
        }
        return answer.status
    }

    /// Imports the person from a file.
    private static func imported(
        _ scene: RestoreScene, _ person: Person, _ more: String = ""
    ) async throws -> String {
        let file = scene.data + "/import-\(UUID().uuidString)"
        try (#"{"phone":"\#(person.phone)"\#(more)}"# + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        return try await scene.done("users import '\(file)'")
    }
}
