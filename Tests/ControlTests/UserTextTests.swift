import InternalAPI
import Testing

@testable import ControlCore

/// Users as the operator's terminal shows them.
@Suite struct UserTextTests {
    private func card(_ metadata: UserMetadata?) -> String {
        var user = UserSummary(
            id: "usr_1", phoneNumber: nil, name: nil, role: "user", isActive: true, createdAt: 7, lastSignInAt: nil,
            deletionDueAt: nil)
        user.metadata = metadata
        return UserText.card(user)
    }

    @Test func `both objects of the metadata are shown as JSON, and nothing without metadata`() {
        #expect(!card(nil).contains("metadata"))
        let text = card(UserMetadata(app: MetadataObject(stored: #"{"plan":"pro"}"#)))
        #expect(text.contains(#"{"plan":"pro"}"#) && text.contains("metadata own:") && text.contains("{}"))
    }

    @Test func `what users write cannot steer the terminal`() {
        let text = card(UserMetadata(own: MetadataObject(stored: "{\"a\":\"\u{9B}2J\u{202E}x\u{7F}\u{2028}é中🦊\"}")))
        #expect(text.contains(#"{"a":"\u009b2J\u202ex\u007f\u2028é中🦊"}"#))
    }
}
