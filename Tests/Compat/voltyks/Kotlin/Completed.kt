// What the printed code uses and the document does not print. Its `authApi` and `api` are Retrofit's in an app: these do as
// Retrofit does, which throws at any answer but 2xx.
import com.google.gson.Gson
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import okhttp3.MediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp4.toRequestBody

/** Where the server is. */
object Addresses {
    var gateway = ""
}

data class LoginRequest(val email: String, val password: String)

data class LoginData(val token: String, val refreshToken: String)

data class LoginResponse(val status: Boolean, val message: String, val data: LoginData)

/** The app's own answer: what stands for its API greets. */
data class ChargersResponse(val message: String, val userId: String)

class HttpException(val code: Int) : RuntimeException("HTTP $code")

/** Sends a request, and reads the answer as Retrofit with its Gson converter does. */
private suspend fun <Answer> OkHttpClient.read(request: Request, type: Class<Answer>): Answer = withContext(Dispatchers.IO) {
    newCall(request).execute().use { response ->
        if (!response.isSuccessful) throw HttpException(response.code())
        Gson().fromJson(response.body()?.string(), type)
    }
}

class AuthApi {
    private val client = OkHttpClient()

    suspend fun login(request: LoginRequest): LoginResponse {
        val body = Gson().toJson(request).toRequestBody(MediaType.parse("application/json"))
        val call = Request.Builder().url(Addresses.gateway + "/api/Auth/Login").post(body).build()
        return client.read(call, LoginResponse::class.java)
    }
}

class ChargersApi(private val client: OkHttpClient) {
    suspend fun getChargers(): ChargersResponse =
        client.read(Request.Builder().url(Addresses.gateway + "/api/chargers").build(), ChargersResponse::class.java)
}

/** What stands between this program and the server. */
object Way {
    private val client = OkHttpClient()

    /** Asks it to let everything through from now on. */
    fun clear() {
        val request = Request.Builder().url(Addresses.gateway + "/compat/clear").post("".toRequestBody()).build()
        client.newCall(request).execute().close()
    }

    /** How many calls of this path it has seen. */
    fun count(path: String): Int {
        val request = Request.Builder().url(Addresses.gateway + "/compat/calls").build()
        val counts = client.newCall(request).execute().use { Gson().fromJson(it.body()?.string(), Map::class.java) }
        return (counts[path.toLowerCase()] as? Double ?: 0.0).toInt()
    }
}
