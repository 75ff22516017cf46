import android.content.Context
import androidx.security.crypto.EncryptedSharedPreferences
import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale
import java.util.TimeZone
import kotlin.math.abs
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking

/** One user of the printed client, and what the document says of it. */
class Life(private val email: String, private val password: String) {
    val prefs = SecurePrefs(Context())
    private val repository = AuthRepository(prefs)
    var sessionExpiries = 0
    private val network = NetworkModule(prefs, repository) { sessionExpiries += 1 }
    val screen = ChargersViewModel(AuthApi(), ChargersApi(network.okHttpClient), prefs)

    /** What the printed code has saved, by its keys. */
    val saved: Map<String, String> get() = EncryptedSharedPreferences.contents("secure_prefs")

    /** Logs in, refreshes, and is signed out by a token that was used. */
    fun whole() {
        signIn()
        wrongPassword()
        refreshTwice()
        chargers()
        mismatch()
    }

    fun signIn() = Report.statement("V26 V30 V31", "login saves both tokens of the answer") {
        screen.login(email, password)
        screen.join()
        saved["accessToken"]?.split(".")?.size == 3 && !saved["refreshToken"].isNullOrEmpty()
            && saved["accessTokenExpiry"] == "" && saved["refreshTokenExpiry"] == "" && screen.crash == null
            && prefs.getAccessToken() == saved["accessToken"] && prefs.getRefreshToken() == saved["refreshToken"]
    }

    /** Retrofit throws at 401, and the printed `login` does not catch: what becomes of that is the app's. */
    private fun wrongPassword() = Report.statement("V30", "a refused login saves nothing, and the printed login throws") {
        val before = saved
        screen.login(email, password + "!")
        screen.join()
        val crash = screen.crash
        screen.crash = null
        saved == before && crash is HttpException && crash.code == 401
    }

    private fun refreshTwice() =
        Report.statement("V24 V26 V27 V32", "refreshTokens saves four new values, and the new token goes on") {
            (1..2).all {
                val old = saved
                val token = refresh()
                token != null && token == saved["accessToken"] && token.split(".").size == 3
                    && saved["accessToken"] != old["accessToken"] && saved["refreshToken"] != old["refreshToken"]
                    && isAhead("accessTokenExpiry", 1800) && isAhead("refreshTokenExpiry", 604_800)
            }
        }

    /** Whether a saved time is so many seconds ahead, as UTC. */
    private fun isAhead(key: String, seconds: Long): Boolean {
        val text = saved[key] ?: return false
        val format = SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT)
        format.timeZone = TimeZone.getTimeZone("UTC")
        return text.length == 19 && abs(format.parse(text).time - Date().time - seconds * 1000) < 30_000
    }

    private fun chargers() {
        Report.statement("V29 V30", "the interceptor's bearer opens the app's API") {
            screen.getChargers()
            screen.join()
            !screen.chargers?.userId.isNullOrEmpty()
        }
        Report.statement("V28 V36", "a call with a bad access token refreshes it and is made again") {
            val old = saved
            spoilAccessToken()
            val before = Way.count("/api/chargers")
            screen.getChargers()
            screen.join()
            Way.count("/api/chargers") == before + 2 && saved["refreshToken"] != old["refreshToken"]
                && saved["accessToken"]?.split(".")?.size == 3 && sessionExpiries == 0
        }
    }

    private fun mismatch() = Report.statement("V14 V27 V32 V36", "a used token clears what was saved") {
        val used = saved["refreshToken"] ?: ""
        refresh()
        prefs.saveTokens(TokenData("bad", used, "", ""))
        screen.getChargers()
        screen.join()
        // The printed authenticator gives up without a word to the app: what is shown then is the app's.
        saved.isEmpty() && sessionExpiries == 0
    }

    fun spoilAccessToken() = prefs.saveTokens(TokenData("bad", saved["refreshToken"] ?: "", "", ""))

    /** The new access token, or null after a failure. */
    fun refresh(): String? = runBlocking { repository.refreshTokens().getOrNull() }

    /** The outcomes of two refreshes that begin at once. */
    fun refreshBoth(): List<String?> = runBlocking {
        val calls = (1..2).map { async { repository.refreshTokens().exceptionOrNull()?.message } }
        calls.map { it.await() }
    }
}
