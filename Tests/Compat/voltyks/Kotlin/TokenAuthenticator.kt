// As voltyks' document prints it under "Token Authenticator (Auto Refresh)"; OkHttp 4's Response.request is ours.
import okhttp3.Authenticator
import okhttp3.Request
import okhttp3.Response
import okhttp3.Route
import kotlinx.coroutines.runBlocking

class TokenAuthenticator(
    private val authRepository: AuthRepository,
    private val securePrefs: SecurePrefs,
    private val onSessionExpired: () -> Unit
) : Authenticator {

    override fun authenticate(route: Route?, response: Response): Request? {

        // Avoid infinite loop - only retry once
        if (response.request.header("Authorization-Retry") != null) {
            // Session truly expired
            runBlocking {
                securePrefs.clearAll()
                onSessionExpired()
            }
            return null
        }

        // Try to refresh tokens
        val result = runBlocking { authRepository.refreshTokens() }

        return result.getOrNull()?.let { newAccessToken ->
            response.request.newBuilder()
                .header("Authorization", "Bearer $newAccessToken")
                .header("Authorization-Retry", "true")
                .build()
        }
    }
}
