import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration

private val client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build()

/** One request on the JVM, Java 11 or newer, with every method. */
fun overJavaHTTP(call: Call): Answer {
    val body = call.body?.let { HttpRequest.BodyPublishers.ofString(it) } ?: HttpRequest.BodyPublishers.noBody()
    val request = HttpRequest.newBuilder(URI(call.url)).timeout(Duration.ofSeconds(30)).method(call.method, body)
    for ((name, value) in call.headers) request.header(name, value)
    val response = try {
        client.send(request.build(), HttpResponse.BodyHandlers.ofString())
    } catch (error: InterruptedException) {
        throw IOException(error)
    }
    return Answer(response.statusCode(), response.body())
}
