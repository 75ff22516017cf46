import AuthAPI
import InternalAPI
import StrictJSON
import Testing

@testable import GatewayCore

/// The answers of aarokya's dialect, member by member.
@Suite struct AarokyaBodyTests {
    private let tokens = TokenSet(
        accessToken: "a", refreshToken: "r", accessExpiresAt: 1_800_000_000, refreshExpiresAt: 2, expiresIn: 3,
        sessionID: "s", userID: "u")

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try StrictJSON.encode(value), as: UTF8.self)
    }

    @Test func `tokens have the document's members, and a sign-in one more`() throws {
        let pair = #""access_token":"a","refresh_token":"r","access_token_expires_at":1800000000"#
        #expect(try text(AarokyaTokens(tokens)) == "{\(pair)}")
        #expect(try text(AarokyaTokens(tokens, isNewUser: true)) == "{\(pair),\"is_new_user\":true}")
    }

    @Test func `a profile is the native one in snake_case`() throws {
        let profile = UserProfile(
            id: "u1", phoneNumber: "+919876543210", name: "Asha",
            attributes: UserAttributes(["isChecker": .boolean(true)]),
            role: "user", createdAt: 5)
        let body = try StrictJSON.parse(StrictJSON.encode(AarokyaProfile(profile)), limits: .own)
        #expect(body["id"]?.stringValue == "u1" && body["phone_number"]?.stringValue == "+919876543210")
        #expect(body["name"]?.stringValue == "Asha" && body["role"]?.stringValue == "user")
        #expect(body["is_checker"]?.boolValue == true && body["created_at"]?.integerValue == 5)
        #expect(body["email"] == nil && body["phoneNumber"] == nil && body["createdAt"] == nil)
    }

    @Test(arguments: [
        ("isChecker", "is_checker"), ("is_checker", "is_checker"), ("Plan", "plan"), ("homeURL", "home_u_r_l"),
        ("a1", "a1"),
    ])
    func `a name is spelled in snake_case`(name: String, spelled: String) {
        #expect(AarokyaProfile.snakeCase(name) == spelled)
    }
}
