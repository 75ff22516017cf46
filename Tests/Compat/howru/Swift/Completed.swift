import Foundation

// Types that the printed code uses and the document does not print, with the members of its HTTP examples.

struct OTPRequest: Encodable {
    let phoneNumber: String
    let countryCode: String
}

struct VerifyOTPRequest: Encodable {
    let phoneNumber: String
    let countryCode: String
    let code: String
    let name: String?
}

struct RefreshRequest: Encodable {
    let refreshToken: String
}

struct User: Decodable, Equatable {
    let id: String
    let phoneNumber: String
    let name: String?
    let isChecker: Bool
}

struct Tokens: Decodable {
    let accessToken: String
    let refreshToken: String
    let expiresIn: Int
}

enum AuthError: Error {
    case notAuthenticated
}

enum KeychainError: Error {
    case saveFailed
}

/// The answer to a sign-in and to a refresh: the printed code reads both as one type, though a refresh has its tokens at
/// the top and no user.
struct AuthResponse: Decodable {
    private enum Name: String, CodingKey {
        case user, tokens, isNewUser, success
    }

    let tokens: Tokens
    private let signedIn: User?

    var accessToken: String { tokens.accessToken }
    var refreshToken: String { tokens.refreshToken }
    /// The user; an empty one in the response to a refresh, where the printed code does not read it.
    var user: User { signedIn ?? User(id: "", phoneNumber: "", name: nil, isChecker: false) }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        guard members.contains(.tokens) else {
            (tokens, signedIn) = (try Tokens(from: decoder), nil)
            return
        }
        (tokens, signedIn) = (
            try members.decode(Tokens.self, forKey: .tokens), try members.decode(User.self, forKey: .user)
        )
    }
}
