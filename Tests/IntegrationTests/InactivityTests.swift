import AuthAPI
import Foundation
import TestSupport
import Testing

/// The removal of accounts whose users were away for six months, with a week's notice. Time passes in the databases.
private enum Away {
    /// howru's policy with the section that it has as a comment, and the code that the dry run prints for its values.
    static func policy(_ name: String, _ values: String) -> String {
        KeyPolicy.write(
            name,
            changing: [
                #"# inactive: { months: 24, noticeDays: 30, withoutNotice: false, confirmed: "3f9a21c4" }"#:
                    "inactive: { months: 6, noticeDays: 7, \(values) }"
            ])
    }

    static let noticeText = "will be deleted on"
    /// Two rounds of each job, on a busy machine.
    static let limit: Duration = .seconds(100)
}

extension LatchkeyStack {
    /// Starts user-service again, which begins a pass through all users.
    fileprivate func beginPass() async throws {
        try await restart("user", by: SIGTERM)
        // The process of before would be awaited for a minute.
        try await write("DELETE FROM leases WHERE name = 'inactivity'", to: "user")
    }

    fileprivate func notices(to recipient: String) async throws -> [String] {
        try await messages(to: recipient).map(\.text).filter { $0.contains(Away.noticeText) }
    }

    /// A user without an email address and a phone number.
    fileprivate func userWithoutChannel() async throws -> SignInReply {
        let wish = #"{"subject":"000123.\#(UUID().uuidString.lowercased().prefix(13))"}"#
        let token = try await FakeProviders(of: self).identityToken(wish).identityToken
        let answer = try await gateway.send(
            "POST", "/auth/apple", headers: [("Content-Type", "application/json")],
            body: Array(#"{"identityToken":"\#(token)"}"#.utf8))
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/apple", answer) }
        return try answer.decoded()
    }

    fileprivate func isRemoved(_ user: SignInReply) async throws -> Bool {
        try await control("users removed").output.contains(user.user.id)
    }
}

extension Live {
    @Suite(
        .serialized, .timeLimit(.minutes(8)),
        .stack([
            "LATCHKEY_FAKES": "1", "LATCHKEY_POLICY": Away.policy("inactive", #"confirmed: "666bedd9""#),
        ]))
    struct InactivityTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// The line of the dry run about a user; empty if the user is not listed.
        private func state(of user: SignInReply) async throws -> String {
            let list = try await stack.control("users inactive --dry-run")
            try #require(list.isSuccess && list.output.contains("The policy confirms these values."), "\(list.output)")
            return list.output.split(separator: "\n").first { $0.hasPrefix(user.user.id) }.map(String.init) ?? ""
        }

        private func waits(for user: SignInReply) async throws -> Bool {
            try await state(of: user).contains("will be removed at")
        }

        private func ended(_ user: SignInReply) async throws -> Bool {
            let audit = try await stack.control("audit list --service user --user \(user.user.id)").output
            return audit.contains("user.inactivity_ended")
        }

        @Test func `a user who was away is told and removed, one who refreshes meanwhile is not`() async throws {
            let phones = (0..<4).map { _ in LatchkeyStack.freshPhone() }
            var users: [SignInReply] = []
            for phone in phones { users.append(try await stack.signIn(phone: phone)) }
            let (gone, back, editor, present) = (users[0], users[1], users[2], users[3])
            let silent = try await stack.userWithoutChannel()
            #expect(try await stack.control("users change \(editor.user.id) --role editor").isSuccess)
            for user in [gone, back, editor, silent] { try await stack.age(user.user.id) }
            #expect(try await state(of: gone).hasSuffix("would be told"))
            #expect(try await state(of: silent).hasSuffix("stays, no notice reaches them"))
            for user in [editor, present] { #expect(try await state(of: user).isEmpty) }

            try await stack.beginPass()
            for (user, phone) in [(gone, phones[0]), (back, phones[1])] {
                try await eventually("the user is told", within: Away.limit) {
                    try await stack.notices(to: phone).count == 1
                }
                #expect(try await waits(for: user))
                let found = try await stack.control("users find \(user.user.id)").output
                #expect(found.contains("the account is removed, at "), "\(found)")
            }
            let refreshed = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: back.tokens.refreshToken))
            let tokens: TokenReply = try refreshed.decoded()

            // Without a response of token-service both stay.
            try await stack.without(["token"]) {
                let before = try failedRounds()
                for user in [gone, back] { try await stack.endDelay(ofPendingNumberOf: user.user.id) }
                try await eventually("rounds without token-service fail", within: Away.limit) {
                    try failedRounds() > before + 1
                }
                for user in [gone, back] { #expect(try await !stack.isRemoved(user)) }
            }
            try await eventually("the user who stayed away is removed", within: Away.limit) {
                try await stack.isRemoved(gone)
            }
            try await eventually("the removal of the user who came back ends", within: Away.limit) {
                try await ended(back)
            }
            #expect(try await stack.gateway.get("/users/me", bearer: tokens.accessToken).status == 200)
            #expect(try await stack.signIn(phone: phones[0]).user.id != gone.user.id)

            // A second pass tells the others no more than the first one.
            try await stack.beginPass()
            try await eventually("the pass is over", within: Away.limit) {
                try await stack.operations("user").get("/metrics").text
                    .contains(#"auth_inactive_users_total{result="not_reached"} 1"#)
            }
            for user in [back, editor, present, silent] { #expect(try await !stack.isRemoved(user)) }
            for phone in phones[2...] { #expect(try await stack.notices(to: phone).isEmpty) }
            #expect(try await stack.notices(to: phones[1]).count == 1)
        }

        /// How often user-service could not decide on a change that is due.
        private func failedRounds() throws -> Int {
            try stack.warnings().count { $0.contains("pending_change.failed") }
        }
    }

    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_FAKES": "1",
            "LATCHKEY_POLICY": Away.policy("inactive-silent", #"withoutNotice: true, confirmed: "d94d7532""#),
        ]))
    struct InactivityWithoutNoticeTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `a user without a channel is listed, and removed after the same time`() async throws {
            let silent = try await stack.userWithoutChannel()
            try await stack.age(silent.user.id)
            let list = try await stack.control("users inactive --dry-run").output
            #expect(list.contains("\(silent.user.id)  would be removed without a notice"), "\(list)")
            try await stack.beginPass()
            try await eventually("the time until the removal begins", within: Away.limit) {
                try await stack.control("users inactive --dry-run").output.contains("will be removed at")
            }
            #expect(try await !stack.isRemoved(silent))
            try await stack.endDelay(ofPendingNumberOf: silent.user.id)
            try await eventually("the user is removed", within: Away.limit) { try await stack.isRemoved(silent) }
        }
    }
}
