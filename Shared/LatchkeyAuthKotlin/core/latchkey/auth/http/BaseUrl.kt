package latchkey.auth.http

import java.net.URI
import java.net.URISyntaxException

/** The server's address: `https`, or `http` on loopback and private addresses where the app allows it. */
internal class BaseUrl(url: String, allowsHttp: Boolean) {
    /** The address without a slash at its end. */
    val text: String = url.removeSuffix("/")
    private val place = Place.of(url)
    private val isAllowed = place != null && (place.isSecure || allowsHttp && isPrivate(place.host))

    /** Returns the URL of a path, or `null` if nothing may be sent to this server. */
    fun url(path: String): String? = if (isAllowed) text + path else null

    /** Whether requests to a URL may have the access token: this server's, and hosts that the app has named. */
    fun mayKnowToken(url: String, otherHosts: Set<String>): Boolean {
        val target = Place.of(url) ?: return false
        return isAllowed && (target == place || target.isSecure && target.host in otherHosts)
    }

    /** The part of a URL that names a server. */
    private data class Place(val host: String, val port: Int, val isSecure: Boolean) {
        companion object {
            fun of(url: String): Place? {
                val uri = try {
                    URI(url)
                } catch (_: URISyntaxException) {
                    return null
                }
                val host = uri.host?.lowercase() ?: return null
                val isSecure = when (uri.scheme?.lowercase()) {
                    "https" -> true
                    "http" -> false
                    else -> return null
                }
                return Place(host, if (uri.port >= 0) uri.port else if (isSecure) 443 else 80, isSecure)
            }
        }
    }

    private companion object {
        /** Whether a host is this machine or one of a private network (RFC 1918; 10.0.2.2 is the host of the emulator). */
        fun isPrivate(host: String): Boolean {
            if (host == "localhost" || host == "::1" || host == "[::1]") return true
            val parts = host.split(".").map { it.toIntOrNull() ?: -1 }
            if (parts.size != 4 || parts.any { it !in 0..255 }) return false
            val (first, second) = parts
            return first == 127 || first == 10 || first == 192 && second == 168 || first == 172 && second in 16..31
        }
    }
}
