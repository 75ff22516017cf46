package latchkey.auth

import latchkey.auth.http.Call
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

    /** The provider's name. */
    internal val provider: String get() = path.substringAfterLast('/')

    /** The provider as the end of a path: `/apple` or `/oidc/{name}`. */
    internal val pathEnd: String get() = path.removePrefix("/auth")

    /** The challenge that the provider's page is requested with (RFC 7636 section 4.2). */
    internal val challenge: String get() = Base64Url.encode(Digests.sha256(secret))

    internal val query: String get() = "challenge=$challenge&redirect=${Percent.encode(redirect)}"

    /** Returns the code that a link brings back, or `null` if the link is another one. */
    internal fun codeOf(link: String): String? {
        val brought = queryOf(link)
        if (placeOf(link) != placeOf(redirect) || brought.keys.none { it == "code" || it == "error" }) return null
        return brought["code"] ?: throw AuthException(
            if (brought["error"] == "access_denied") AuthError.Cancelled
            else AuthError.Refused(0, brought["error"]?.let(Reply::word) ?: "no_code", null),
        )
    }

    /** Returns the code of a link and the secret that belongs to it, as members of a request. */
    internal fun proof(code: String): Map<String, Any?> = mapOf("code" to code, "verifier" to verifier)

    /** Returns the key of a request with the code. */
    internal fun keyOf(code: String): String = keyOf("browser", "$code $verifier")

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
    val code = pending.codeOf(link) ?: return null
    return open("${pending.path}/verify", pending.proof(code), pending.keyOf(code))
}

/** Returns the URL of a provider's page for [finishAdding], or for a proof of the other account of a merge. */
public suspend fun LatchkeyAuth.urlToAdd(pending: PendingBrowser): String = pageOf("/users/me/identities", pending)

/** Returns the URL of a provider's page for [reauthenticate] with [AccountProof.browser]. */
public suspend fun LatchkeyAuth.urlToReauthenticate(pending: PendingBrowser): String = pageOf("/auth/reauthenticate", pending)

/** Adds the account that the user has chosen at the page of [urlToAdd]. Returns `false` if the link is another one. */
public suspend fun LatchkeyAuth.finishAdding(pending: PendingBrowser, link: String): Boolean {
    val code = pending.codeOf(link) ?: return false
    changeIdentity("/users/me/identities${pending.pathEnd}", pending.proof(code), pending.keyOf(code))
    return true
}

private suspend fun LatchkeyAuth.pageOf(path: String, pending: PendingBrowser): String {
    val body = mapOf("challenge" to pending.challenge, "redirect" to pending.redirect)
    val response = authorized(Call("POST", "$path${pending.pathEnd}/authorize", body = body))
    return response["url"] as? String ?: throw AuthException(AuthError.NotLatchkey)
}

private val parts = Regex("([^:]*:(?://[^/]*)?)(.*)")

/** Returns a link without query and fragment. Browsers write the scheme and the host in lower case, and no path as `/`. */
private fun placeOf(link: String): Pair<String, String>? =
    parts.matchEntire(link.substringBefore('#').substringBefore('?'))?.destructured?.let { (start, path) ->
        start.lowercase() to path.ifEmpty { "/" }
    }
