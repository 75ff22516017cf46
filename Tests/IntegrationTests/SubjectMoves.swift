import AuthAPI
import Foundation
import TestSupport
import Testing

/// `latchkeyctl users resubject` against a stack whose provider is latchkey-fakes.
struct SubjectMoves: Sendable {
    let stack: LatchkeyStack

    private func signIn(_ subject: String) async throws -> SignInReply {
        let token = try await FakeProviders(of: stack).identityToken(#"{"subject":"\#(subject)"}"#).identityToken
        let answer = try await stack.gateway.post("/auth/apple", #"{"identityToken":"\#(token)"}"#)
        try #require(answer.status == 200, "\(answer.text)")
        return try answer.decoded()
    }

    /// Moves one user, leaves one whose new subject has an account, and names a subject that no user has.
    func check() async throws {
        let tag = UUID().uuidString.lowercased().prefix(8)
        func subject(_ name: String) -> String { "000123.\(name)-\(tag)" }
        let moved = try await signIn(subject("old"))
        let stays = try await signIn(subject("old2"))
        let other = try await signIn(subject("new2"))
        let file = FileManager.default.temporaryDirectory.path + "/latchkey-subjects-\(tag)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try """
        # old new
        \(subject("old")) \(subject("new"))
        \(subject("old2")), \(subject("new2"))
        \(subject("nobody")) \(subject("new3"))
        """.write(toFile: file, atomically: true, encoding: .utf8)
        let command = "users resubject --provider apple --map '\(file)'"

        let planned = try await stack.control(command + " --dry-run")
        #expect(
            planned.output.contains("1 would be changed, 0 changed before, 1 taken, 1 unknown"), "\(planned.output)")
        #expect(try await signIn(subject("old")).user.id == moved.user.id)

        let done = try await stack.control(command)
        #expect(
            !done.isSuccess && done.output.contains("1 changed, 0 changed before, 1 taken, 1 unknown"), "\(done.output)"
        )
        for text in [
            "\(moved.user.id): \(subject("old")) -> \(subject("new"))",
            "\(stays.user.id): \(subject("old2")) stays: \(subject("new2")) belongs to \(other.user.id)",
            "\(subject("nobody")): no user has this subject",
        ] { #expect(done.output.contains(text), "\(done.output)") }
        let again = try await stack.control(command)
        #expect(again.output.contains("0 changed, 1 changed before, 1 taken, 1 unknown"), "\(again.output)")

        let refreshed = try await stack.gateway.post(
            "/auth/refresh", encoding: RefreshBody(refreshToken: moved.tokens.refreshToken))
        #expect(refreshed.status == 200, "\(refreshed.text)")
        let returned = try await signIn(subject("new"))
        #expect(returned.user == moved.user && !returned.isNewUser)
        #expect(try await signIn(subject("old2")).user == stays.user)
        #expect(try await signIn(subject("new2")).user == other.user)
        // The old team's subject leads to no user any more.
        #expect(try await signIn(subject("old")).isNewUser)
        let audit = try await stack.control("audit list --user \(moved.user.id) --service user")
        #expect(audit.output.contains("identity.resubjected"), "\(audit.output)")
    }
}
