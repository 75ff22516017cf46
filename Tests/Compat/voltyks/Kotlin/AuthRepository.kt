// As voltyks' document prints it under "Auth Repository"; the base URL is another, and OkHttp 4's toRequestBody is ours.
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp4.toRequestBody
import com.google.gson.Gson

class AuthRepository(
    private val securePrefs: SecurePrefs
) {

    private val client = OkHttpClient()
    private val gson = Gson()
    private val baseUrl = Addresses.gateway

    suspend fun refreshTokens(): Result<String> = withContext(Dispatchers.IO) {

        val refreshToken = securePrefs.getRefreshToken()
            ?: return@withContext Result.failure(Exception("No refresh token"))

        val request = Request.Builder()
            .url("$baseUrl/api/Auth/RefreshToken")
            .post("".toRequestBody(null))
            .addHeader("Authorization", "Bearer $refreshToken")
            .addHeader("Content-Type", "application/json")
            .build()

        try {
            val response = client.newCall(request).execute()
            val body = response.body?.string()

            val tokenResponse = gson.fromJson(body, TokenResponse::class.java)

            if (tokenResponse.status && tokenResponse.data != null) {

                // IMPORTANT: Save the NEW tokens
                securePrefs.saveTokens(tokenResponse.data)

                Result.success(tokenResponse.data.accessToken)

            } else {
                securePrefs.clearAll()
                Result.failure(Exception("Session expired"))
            }

        } catch (e: Exception) {
            Result.failure(e)
        }
    }
}
