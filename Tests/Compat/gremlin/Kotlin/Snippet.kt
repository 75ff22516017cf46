// As gremlin's document prints it under "Android (Kotlin)"; the imports, the function around it, the URL's host, and what
// stands in the place of the two comments are ours.
import java.io.IOException
import okhttp3.Call
import okhttp3.Callback
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response

fun requestUsers(jwtToken: String, done: (Response?, IOException?) -> Unit) {
    val client = OkHttpClient()
    val request = Request.Builder()
        .url("${Addresses.gateway}/api/admin/users")
        .addHeader("Authorization", "Bearer $jwtToken")
        .build()

    client.newCall(request).enqueue(object : Callback {
        override fun onFailure(call: Call, e: IOException) { done(null, e) }
        override fun onResponse(call: Call, response: Response) { done(response, null) }
    })
}
