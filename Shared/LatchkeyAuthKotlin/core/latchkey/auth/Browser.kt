package latchkey.auth

import latchkey.auth.http.Reply
import latchkey.auth.support.Base64Url
import latchkey.auth.support.Digests
import latchkey.auth.support.Json
import latchkey.auth.support.Percent

// Signing in at a provider's own page in the system's browser, which comes back to the app by a link with a code.

/**
 * A sign-in that the user has gone to a provider's page for.
 *
 * Keep its text ([encode]) meanwhile, since the system may end the app. It holds a secret, so keep it where you would keep those,
 * such as `onSaveInstanceState`.
 */
public class PendingBrowser internal constructor(
    internal val path: String,
    /** The link by which the provider returns. */
    public val redirect: String,
    private val secret: String = Digests.token(),
) {
    /** The proof that this app has begun the sign-in (RFC 7636 section 4.1). */
    internal val verifier: String get() = secret

    internal val query: String
        get() = "challenge=${Base64Url.encode(Digests.sha256(secret))}&redirect=${Percent.encode(redirect)}"

    /** Returns the sign-in as text, for [decode]. */
    public fun encode(): String =
        Json.encode(mapOf("path" to path, "redirect" to redirect, "secret" to secret)).decodeToString()

    override fun toString(): String = "PendingBrowser(‹redacted›)"

    public companion object {
        /** Returns the sign-in of a text from [encode], or `null` if it is damaged. */
        @JvmStatic
        public fun decode(text: String): PendingBrowser? {
            val members = Json.members(text.encodeToByteArray()) ?: return null
            val (path, redirect) = members["path"] as? String to members["redirect"] as? String
            val secret = members["secret"] as? String
            return if (path == null || redirect == null || secret.isNullOrEmpty()) null else PendingBrowser(path, redirect, secret)
        }
    }
}

/**
 * Prepares a sign-in at a provider's own page. Nothing is sent yet: open [urlOf] its result in the browser.
 *
 * @param provider `apple`, or the provider's name in the server's policy, such as `google`.
 * @param redirect the link by which the provider returns to the app, one of the policy's `webRedirects`.
 */
public fun LatchkeyAuth.prepareBrowser(provider: String, redirect: String): PendingBrowser =
    PendingBrowser(if (provider == "apple") "/auth/apple" else "/auth/oidc/${named(provider)}", redirect)

/** Returns the URL that begins a sign-in in the browser. */
public fun LatchkeyAuth.urlOf(pending: PendingBrowser): String =
    engine.api.baseUrl.url("${pending.path}/authorize?${pending.query}") ?: throw AuthException(AuthError.UntrustedServer)

/**
 * Finishes a sign-in by the link that the provider has returned with. Returns `null` if the link is another one.
 *
 * Throws [AuthError.Cancelled] if the user has refused, and [AuthError.Refused] with the provider's code after other failures.
 */
public suspend fun LatchkeyAuth.finishSignIn(pending: PendingBrowser, link: String): SignIn? {
    val brought = queryOf(link)
    if (placeOf(link) != placeOf(pending.redirect) || brought.keys.none { it == "code" || it == "error" }) return null
    val code = brought["code"] ?: throw AuthException(
        if (brought["error"] == "access_denied") AuthError.Cancelled
        else AuthError.Refused(0, brought["error"]?.let(Reply::word) ?: "no_code", null),
    )
    val proof = mapOf("code" to code, "verifier" to pending.verifier)
    return open("${pending.path}/verify", proof, keyOf("browser", "$code ${pending.verifier}"))
}

private val parts = Regex("([^:]*:(?://[^/]*)?)(.*)")

/** Returns a link without query and fragment. Browsers write the scheme and the host in lower case, and no path as `/`. */
private fun placeOf(link: String): Pair<String, String>? =
    parts.matchEntire(link.substringBefore('#').substringBefore('?'))?.destructured?.let { (start, path) ->
        start.lowercase() to path.ifEmpty { "/" }
    }
