// swift-format-ignore-file
// As voltyks' document prints it under "Response Model".
struct TokenResponse: Codable {
    let status: Bool
    let message: String
    let data: TokenData?
}

struct TokenData: Codable {
    let accessToken: String
    let refreshToken: String
    let accessTokenExpiresAt: String
    let refreshTokenExpiresAt: String
}
