package latchkey.driver

import java.io.IOException
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.suspendCancellableCoroutine
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.LatchkeyAuth
import latchkey.auth.android.UrlTransport
import latchkey.auth.jvm.JdkTransport
import latchkey.auth.okhttp.LatchkeyAuthenticator
import latchkey.auth.okhttp.LatchkeyInterceptor
import latchkey.auth.okhttp.OkHttpTransport
import okhttp3.Call as OkHttpCall
import okhttp3.Callback
import okhttp3.MediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody
import okhttp3.Response
import okio.BufferedSink
import okio.Okio

/** The requests of an app that uses OkHttp. */
private fun okHttpRequests(client: OkHttpClient.Builder): AppRequests {
    val built = client.followRedirects(false).build()
    return AppRequests { call ->
        val type = MediaType.parse(call.headers["Content-Type"] ?: "application/json")
        val body = call.body?.let { if (call.isStream) StreamBody(type, it) else RequestBody.create(type, it) }
        val request = Request.Builder().url(call.url).method(call.method, body)
        for ((name, value) in call.headers) request.header(name, value)
        built.newCall(request.build()).code()
    }
}

/** A stream of known length, which can be written once. */
class StreamBody(private val type: MediaType?, private val bytes: ByteArray) : RequestBody() {
    private val stream = bytes.inputStream()

    override fun contentType(): MediaType? = type

    override fun contentLength(): Long = bytes.size.toLong()

    override fun writeTo(sink: BufferedSink) = Okio.source(stream).use { sink.writeAll(it) }.let { }
}

private suspend fun OkHttpCall.code(): Int = suspendCancellableCoroutine { waiting ->
    waiting.invokeOnCancellation { cancel() }
    enqueue(object : Callback {
        override fun onFailure(call: OkHttpCall, e: IOException) =
            waiting.resumeWithException(if (e is AuthException) e else AuthException(AuthError.Offline))

        override fun onResponse(call: OkHttpCall, response: Response) = response.use { waiting.resume(it.code()) }
    })
}

private fun withInterceptor(auth: LatchkeyAuth) = okHttpRequests(OkHttpClient.Builder().addInterceptor(LatchkeyInterceptor(auth)))

/** An app that puts the token into its requests itself. */
private fun withAuthenticator(auth: LatchkeyAuth): AppRequests {
    val client = OkHttpClient.Builder().authenticator(LatchkeyAuthenticator(auth)).addInterceptor { chain ->
        val request = chain.request()
        if (!auth.mayKnowToken(request.url().toString())) {
            chain.proceed(request)
        } else {
            val token = auth.accessTokenBlocking()
            chain.proceed(request.newBuilder().header("Authorization", "Bearer $token").build())
        }
    }
    return okHttpRequests(client)
}

/** The kind of a name: `jdk`, `okhttp`, `authenticator` or `url`. */
fun kind(name: String): Kind = when (name) {
    "okhttp" -> Kind(OkHttpTransport(), ::withInterceptor)
    "authenticator" -> Kind(OkHttpTransport(), ::withAuthenticator)
    "url" -> Kind(UrlTransport(), ::plainRequests)
    else -> Kind(JdkTransport(), ::plainRequests)
}
