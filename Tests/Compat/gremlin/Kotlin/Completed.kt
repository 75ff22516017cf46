// The calls that the document prints as HTTP alone, and the printed request as a function that waits.
import com.google.gson.Gson
import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import okhttp3.MediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp4.toRequestBody

/** Where the server is. */
object Addresses {
    var gateway = ""
}

data class User(val id: String?, val email: String?, val role: String?, val is_active: Boolean?)
data class Session(val token: String?, val refreshToken: String?, val expiresAt: String?)
data class SignIn(val user: User?, val session: Session?)
data class Users(val users: List<User>?)
data class Refusal(val code: String?, val message: String?, val is_active: Boolean?)

/** The printed request's answer. */
class Answer(val status: Int, body: String) {
    val users: List<User> = if (status == 200) Gson().fromJson(body, Users::class.java).users.orEmpty() else emptyList()
    val refusal: Refusal? = if (status == 200) null else Gson().fromJson(body, Refusal::class.java)
}

fun users(token: String): Answer {
    val answer = CompletableFuture<Answer>()
    requestUsers(token) { response, error ->
        try {
            answer.complete(response?.use { Answer(it.code(), it.body()?.string() ?: "") } ?: throw error ?: IOException())
        } catch (error: Exception) {
            answer.completeExceptionally(error)
        }
    }
    return answer.get(30, TimeUnit.SECONDS)
}

private fun post(path: String, body: Any, bearer: String? = null): String {
    val content = Gson().toJson(body).toRequestBody(MediaType.parse("application/json"))
    val request = Request.Builder().url(Addresses.gateway + path).post(content)
    if (bearer != null) request.addHeader("Authorization", "Bearer $bearer")
    return OkHttpClient().newCall(request.build()).execute().use { response ->
        if (response.code() != 200) throw IOException("HTTP ${response.code()}")
        response.body()?.string() ?: ""
    }
}

fun signIn(email: String, password: String): SignIn =
    Gson().fromJson(post("/api/auth/sign-in-email", mapOf("email" to email, "password" to password)), SignIn::class.java)

fun refresh(token: String): Session? =
    Gson().fromJson(post("/api/auth/refresh", mapOf("refreshToken" to token)), SignIn::class.java).session

fun signOut(token: String) {
    post("/api/auth/sign-out", emptyMap<String, String>(), bearer = token)
}
