package latchkey.auth.android

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
            request.body?.let { body ->
                connection.doOutput = true
                connection.outputStream.use { it.write(body) }
            }
            val status = connection.responseCode
            val stream = connection.errorStream ?: if (status < 400) connection.inputStream else null
            return HttpResponse(status, headers(connection), stream?.use { HttpResponse.bodyOf(it) } ?: ByteArray(0))
        } finally {
            connection.disconnect()
        }
    }

    private fun prepare(connection: HttpURLConnection, request: HttpRequest) {
        connection.requestMethod = request.method
        connection.instanceFollowRedirects = false
        connection.useCaches = false
        connection.connectTimeout = 10_000
        connection.readTimeout = 20_000
        for ((name, value) in request.headers) connection.setRequestProperty(name, value)
        connection.setRequestProperty("Connection", "close")
    }

    private fun headers(connection: HttpURLConnection): Map<String, String> {
        val headers = LinkedHashMap<String, String>()
        for ((name, values) in connection.headerFields) if (name != null) headers[name] = values.first()
        return headers
    }
}
