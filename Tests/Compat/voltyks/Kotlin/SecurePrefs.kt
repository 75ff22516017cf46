// As voltyks' document prints it under "Secure Storage".
import android.content.Context
import android.content.SharedPreferences
import androidx.security.crypto.EncryptedSharedPreferences
import androidx.security.crypto.MasterKey

class SecurePrefs(context: Context) {

    private val masterKey = MasterKey.Builder(context)
        .setKeyScheme(MasterKey.KeyScheme.AES256_GCM)
        .build()

    private val prefs: SharedPreferences = EncryptedSharedPreferences.create(
        context,
        "secure_prefs",
        masterKey,
        EncryptedSharedPreferences.PrefKeyEncryptionScheme.AES256_SIV,
        EncryptedSharedPreferences.PrefValueEncryptionScheme.AES256_GCM
    )

    fun saveTokens(tokenData: TokenData) {
        prefs.edit()
            .putString("accessToken", tokenData.accessToken)
            .putString("refreshToken", tokenData.refreshToken)
            .putString("accessTokenExpiry", tokenData.accessTokenExpiresAt)
            .putString("refreshTokenExpiry", tokenData.refreshTokenExpiresAt)
            .apply()
    }

    fun getAccessToken(): String? = prefs.getString("accessToken", null)

    fun getRefreshToken(): String? = prefs.getString("refreshToken", null)

    fun clearAll() {
        prefs.edit().clear().apply()
    }
}
