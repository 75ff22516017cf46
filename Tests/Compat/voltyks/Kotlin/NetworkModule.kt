// As voltyks' document prints it under "OkHttp Client Setup"; the import is ours: the document prints none here.
import okhttp3.OkHttpClient

class NetworkModule(
    private val securePrefs: SecurePrefs,
    private val authRepository: AuthRepository,
    private val onSessionExpired: () -> Unit
) {

    val okHttpClient: OkHttpClient by lazy {
        OkHttpClient.Builder()
            .authenticator(TokenAuthenticator(authRepository, securePrefs, onSessionExpired))
            .addInterceptor { chain ->
                val token = securePrefs.getAccessToken()
                val request = chain.request().newBuilder()
                    .apply {
                        if (token != null) {
                            addHeader("Authorization", "Bearer $token")
                        }
                    }
                    .addHeader("Content-Type", "application/json")
                    .build()
                chain.proceed(request)
            }
            .build()
    }
}
