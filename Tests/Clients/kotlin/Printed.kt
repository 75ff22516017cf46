// The usage that voltyks' and gremlin's documents print, over the library: their files are unchanged, and these declarations take
// the place of the app's own token code. They are in the same package as the printed code, which has none.
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import latchkey.auth.AuthException
import latchkey.auth.LatchkeyAuth
import latchkey.auth.okhttp.LatchkeyInterceptor
import latchkey.auth.okhttp.OkHttpTransport
import latchkey.auth.signInWithPassword
import latchkey.checks.Checks.equal
import latchkey.checks.MovedClock
import latchkey.checks.Server
import latchkey.checks.session
import okhttp3.OkHttpClient
import okhttp3.Request

/** Where the server is. */
object Addresses {
    var gateway = ""
}

data class LoginRequest(val email: String, val password: String)

data class LoginData(val token: String, val refreshToken: String)

data class LoginResponse(val status: Boolean, val message: String, val data: LoginData)

data class ChargersResponse(val message: String)

/** The library has stored the session by now, and no other code gets its refresh token. */
class SecurePrefs {
    @Suppress("UNUSED_PARAMETER")
    fun saveTokens(tokens: TokenData) {}
}

class AuthApi(private val auth: LatchkeyAuth) {
    suspend fun login(request: LoginRequest): LoginResponse = try {
        auth.signInWithPassword(request.email, request.password)
        LoginResponse(true, "", LoginData(auth.accessToken(), ""))
    } catch (failure: AuthException) {
        LoginResponse(false, failure.error.toString(), LoginData("", ""))
    }
}

class ChargersApi(private val client: OkHttpClient) {
    suspend fun getChargers(): ChargersResponse = withContext(Dispatchers.IO) {
        client.newCall(Request.Builder().url(Addresses.gateway + "/api/chargers").build()).execute().use {
            ChargersResponse(if (it.code() == 200) "hello" else "HTTP ${it.code()}")
        }
    }
}

fun main() = Server().use { server ->
    Addresses.gateway = server.base
    val clock = MovedClock()
    val auth = session(server, OkHttpTransport(), clock)
    val client = OkHttpClient.Builder().addInterceptor(LatchkeyInterceptor(auth)).build()

    val voltyks = ChargersViewModel(AuthApi(auth), ChargersApi(client), SecurePrefs())
    voltyks.login("a@example.com", "secret")
    voltyks.join()
    server.apiAcceptsOld = false
    clock.now += 4000.seconds
    voltyks.getChargers()
    voltyks.join()
    equal(voltyks.chargers?.message to voltyks.crash, "hello" to null)
    equal(server.refreshes.get(), 1)

    val done = CountDownLatch(1)
    var code = 0
    requestUsers(runBlocking { auth.accessToken() }) { response, _ ->
        code = response?.code() ?: 0
        done.countDown()
    }
    equal(done.await(20, TimeUnit.SECONDS), true)
    equal(code, 200)
    auth.close()
    println("voltyks' and gremlin's printed usage runs on the library")
    System.exit(0)
}
