package latchkey.auth.http

import java.io.IOException
import java.net.SocketTimeoutException
import javax.net.ssl.SSLException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.runInterruptible
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.DeviceClock
import latchkey.auth.HttpRequest
import latchkey.auth.HttpResponse
import latchkey.auth.LogLine
import latchkey.auth.Transport
import latchkey.auth.support.Json
import latchkey.auth.support.within

/** A request to the server's own API. */
internal class Call(
    val method: String,
    val path: String,
    /** The path as it is logged, without ids. */
    val route: String = path,
    val body: Map<String, Any?>? = null,
    val idempotencyKey: String? = null,
    val headers: Map<String, String> = emptyMap(),
    val limit: Duration = Api.LIMIT,
)

/** Requests to the server's own API. */
internal class Api(
    val baseUrl: BaseUrl, private val transport: Transport, private val clock: DeviceClock,
    private val scope: CoroutineScope, private val log: (LogLine) -> Unit,
) {
    /** Sends a request and returns the response, whatever its status. */
    suspend fun send(call: Call, bearer: String? = null): Reply {
        try {
            val response = limited(request(call).with(bearer), call.limit)
            if (response.body.size > HttpResponse.BYTES_MAX) throw AuthException(AuthError.NotLatchkey)
            val reply = Reply(response, isOwn = true)
            log(LogLine.Answered(call.method, call.route, reply.status, reply.requestId))
            return reply
        } catch (failure: AuthException) {
            log(LogLine.Unanswered(call.method, call.route, failure.error))
            throw failure
        }
    }

    private fun request(call: Call): HttpRequest {
        val url = baseUrl.url(call.path)
        if (url == null) {
            log(LogLine.PlainHttpRefused)
            throw AuthException(AuthError.UntrustedServer)
        }
        val headers = LinkedHashMap(call.headers)
        headers["Accept"] = "application/json"
        headers["Latchkey-Client"] = CLIENT
        call.idempotencyKey?.let { headers["Idempotency-Key"] = it }
        val body = call.body ?: return HttpRequest(call.method, url, headers)
        headers["Content-Type"] = "application/json"
        return HttpRequest(call.method, url, headers, Json.encode(body))
    }

    /** Sends a request, and stops waiting at the limit. */
    suspend fun limited(request: HttpRequest, limit: Duration?): HttpResponse {
        val end = limit?.let { clock.now + it }
        val response = scope.within(clock, limit) { runInterruptible { answered(request) } }
        // A process that was frozen may see an old response before its timer. The token in it is as old.
        if (end != null && clock.now > end) throw AuthException(AuthError.TimedOut)
        return response
    }

    private fun answered(request: HttpRequest): HttpResponse = try {
        transport.send(request)
    } catch (failure: IOException) {
        throw failure as? AuthException ?: AuthException(errorOf(failure))
    } catch (cancelled: CancellationException) {
        throw cancelled
    } catch (_: RuntimeException) {
        // A transport's own mistake must not end a session.
        throw AuthException(AuthError.Offline)
    }

    internal companion object {
        /** The time that a request may take in all. The server's rules about repeated requests rely on it. */
        val LIMIT: Duration = 20.seconds

        /** The value of `Latchkey-Client`, by which the server counts library versions. */
        const val CLIENT = "kotlin/1.0.0-beta.1"

        private fun errorOf(failure: IOException): AuthError = when (failure) {
            is SSLException -> AuthError.UntrustedServer
            is SocketTimeoutException -> AuthError.TimedOut
            else -> AuthError.Offline
        }
    }
}
