package latchkey.auth.android

import java.io.EOFException
import java.net.HttpRetryException
import java.net.HttpURLConnection
import java.net.URL
import latchkey.auth.HttpRequest
import latchkey.auth.HttpResponse
import latchkey.auth.Transport

/**
 * Requests by the platform's `HttpURLConnection`: no cache, no redirects, and a connection for each request, so that the
 * platform has no reason to repeat one. Cookies are kept only if the app has set a `CookieHandler` for all its requests.
 */
public class UrlTransport : Transport {
    override fun send(request: HttpRequest): HttpResponse {
        val connection = URL(request.url).openConnection() as HttpURLConnection
        try {
            prepare(connection, request)
            request.body?.let { body -> connection.outputStream.use { it.write(body) } }
            request.stream?.let { body -> connection.outputStream.use { body.copyTo(it) } }
            val status = connection.responseCode
            val stream = connection.errorStream ?: if (status < 400) connection.inputStream else null
            val body = stream?.use { HttpResponse.bodyOf(it) } ?: ByteArray(0)
            // The platform cannot send a stream again after a 401: it throws, or drops the response's body.
            val isDropped = status == 401 && request.stream != null
            if (!isDropped && !isWhole(connection, body)) throw EOFException("the response was cut off")
            return HttpResponse(status, headers(connection), body)
        } catch (failure: HttpRetryException) {
            return HttpResponse(failure.responseCode(), emptyMap(), ByteArray(0))
        } finally {
            connection.disconnect()
        }
    }

    /** Some versions of the platform take a response that was cut off for a whole one. */
    private fun isWhole(connection: HttpURLConnection, body: ByteArray): Boolean {
        if (connection.responseCode == 204 || connection.responseCode == 304) return true
        val length = connection.getHeaderField("Content-Length")?.toLongOrNull() ?: return body.isNotEmpty()
        return body.size >= minOf(length, HttpResponse.BYTES_MAX + 1L)
    }

    private fun prepare(connection: HttpURLConnection, request: HttpRequest) {
        connection.requestMethod = request.method
        connection.instanceFollowRedirects = false
        connection.useCaches = false
        connection.doOutput = request.body != null || request.stream != null
        if (request.stream != null) connection.setChunkedStreamingMode(0)
        connection.connectTimeout = 10_000
        connection.readTimeout = 20_000
        for ((name, value) in request.headers) connection.setRequestProperty(name, value)
        connection.setRequestProperty("Connection", "close")
    }

    private fun headers(connection: HttpURLConnection): Map<String, String> =
        connection.headerFields.filterKeys { it != null }.mapValues { it.value.first() }
}
