package latchkey.auth.jvm

import java.io.File
import java.io.IOException
import java.io.InterruptedIOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpConnectTimeoutException
import java.net.http.HttpTimeoutException
import java.time.Duration as JavaDuration
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds
import kotlinx.coroutines.delay
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.Configuration
import latchkey.auth.DeviceClock
import latchkey.auth.FileStore
import latchkey.auth.HttpRequest
import latchkey.auth.HttpResponse
import latchkey.auth.Transport
import latchkey.auth.installationIdIn

/**
 * Returns the settings for a program on a computer: a file of mode 0600 in the user's own data folder, and Java's HTTP
 * client.
 */
public fun jvmConfiguration(baseUrl: String, profile: String = "default", folder: File = dataFolder()): Configuration =
    Configuration(baseUrl, FileStore(folder, profile), JdkTransport(), JvmClock()).apply {
        deviceName = System.getProperty("os.name")
        installationId = { installationIdIn(folder) }
    }

private fun dataFolder(): File {
    val named = System.getenv("XDG_DATA_HOME")?.takeIf { it.startsWith("/") }
    return File(named ?: (System.getProperty("user.home") + "/.local/share"), "latchkey")
}

/** Requests by Java's HTTP client: no cookies, no cache, no redirects. */
public class JdkTransport : Transport {
    private val client: HttpClient = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(JavaDuration.ofSeconds(10)).build()

    override fun send(request: HttpRequest): HttpResponse {
        val body = request.body?.let { java.net.http.HttpRequest.BodyPublishers.ofByteArray(it) }
            ?: request.stream?.let { java.net.http.HttpRequest.BodyPublishers.ofInputStream { it } }
            ?: java.net.http.HttpRequest.BodyPublishers.noBody()
        val builder = java.net.http.HttpRequest.newBuilder(URI(request.url)).timeout(JavaDuration.ofSeconds(20))
            .method(request.method, body)
        for ((name, value) in request.headers) builder.header(name, value)
        try {
            val response = client.send(builder.build(), java.net.http.HttpResponse.BodyHandlers.ofInputStream())
            val bytes = response.body().use { HttpResponse.bodyOf(it) }
            return HttpResponse(response.statusCode(), response.headers().map().mapValues { it.value.first() }, bytes)
        } catch (failure: HttpTimeoutException) {
            throw AuthException(if (failure is HttpConnectTimeoutException) AuthError.Offline else AuthError.TimedOut)
        } catch (failure: IOException) {
            // Java's client reads no 204 that has a body, as a portal may send it, and names the reason in its text alone.
            throw if (failure.message.orEmpty().contains("204 response")) AuthException(AuthError.NotLatchkey) else failure
        } catch (interrupted: InterruptedException) {
            Thread.currentThread().interrupt()
            throw InterruptedIOException().initCause(interrupted) as IOException
        }
    }
}

/**
 * The system's clocks. Linux counts the first one without the time that the computer sleeps; a token that ended meanwhile is
 * renewed when an API refuses it.
 */
public class JvmClock : DeviceClock {
    private val start = System.nanoTime()

    override val now: Duration get() = (System.nanoTime() - start).nanoseconds
    override val wallSeconds: Long get() = System.currentTimeMillis() / 1000

    override suspend fun sleepUntil(time: Duration): Unit = delay(time - now)
}
