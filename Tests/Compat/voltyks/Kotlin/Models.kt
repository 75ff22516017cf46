// As voltyks' document prints it under "Response Model".
data class TokenResponse(
    val status: Boolean,
    val message: String,
    val data: TokenData?
)

data class TokenData(
    val accessToken: String,
    val refreshToken: String,
    val accessTokenExpiresAt: String,
    val refreshTokenExpiresAt: String
)
