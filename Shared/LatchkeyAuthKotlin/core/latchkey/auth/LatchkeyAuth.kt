package latchkey.auth

import java.io.Closeable
import java.io.IOException
import java.io.InterruptedIOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.runBlocking
import latchkey.auth.http.Call
import latchkey.auth.http.Objection
import latchkey.auth.http.Reply
import latchkey.auth.machine.MachineEvent
import latchkey.auth.support.Digests

/**
 * A user's session with a Latchkey server.
 *
 * Create one at the start of the app and keep it. What is known is there at once, and [accessToken] sends nothing while the
 * token is fresh:
 *
 * ```kotlin
 * val auth = LatchkeyAuth(androidConfiguration(context, "https://api.example.com"))
 * val response = auth.send(HttpRequest("GET", profileUrl))
 * ```
 *
 * Several processes may use the same store. They need no lock: a renewal that two of them send is the same request, and the
 * newest tokens win. Every suspending call throws [AuthException] if it fails.
 */
public class LatchkeyAuth(internal val configuration: Configuration) : Closeable {
    internal val engine = Engine(configuration)
    internal val once = Once(engine)
    internal val adding = Flights<Passkey>(engine)
    internal val restoreKeys = configuration.restoreKeys?.let { RestoreKeys(this, it) }
    private val asking = Asking(engine)
    private var discovered: Discovered? = null

    init {
        engine.start(configuration.readsAtOnce)
        engine.follow(configuration.surroundings.changes)
        restoreKeys?.follow()
    }

    // What is known

    /** The present state and every later one. Its value is there without waiting; a slow collector sees the newest. */
    public val state: StateFlow<State> get() = engine.shown

    /** The changes from now on. A collector may call anything, since no lock is held. */
    public val events: Flow<Event> get() = engine.events

    /** The profile as the server last returned it; `null` if it is not known or the app is in the background. */
    public val user: User? get() = engine.session?.record?.user

    // Tokens

    /**
     * Returns an access token.
     *
     * A fresh one is returned at once. One that ends soon is renewed; callers that come meanwhile wait for the same
     * renewal. If that fails, a token that still lives is returned.
     *
     * @param validFor the lifetime that the token should have left.
     */
    public suspend fun accessToken(validFor: Duration = USUAL): String =
        engine.freshToken(validFor) ?: engine.ask { caller, moment -> MachineEvent.Wanted(caller, validFor, moment) }

    /**
     * Returns another access token in place of one that an API has answered with 401.
     *
     * Throws [AuthError.RefusedAgain] if the token was renewed less than 30 seconds ago: a newer one would be refused as
     * well.
     */
    public suspend fun accessTokenInsteadOf(refused: String): String =
        engine.ask { caller, moment -> MachineEvent.RefusedByApi(caller, refused, moment) }

    /** Returns an access token like [accessToken], for a thread that may wait. The renewal runs on the library's own threads. */
    @Throws(AuthException::class)
    public fun accessTokenBlocking(): String =
        engine.freshToken(USUAL) ?: engine.askBlocking { caller, moment -> MachineEvent.Wanted(caller, USUAL, moment) }

    /** Returns another access token like [accessTokenInsteadOf], for a thread that may wait. */
    @Throws(AuthException::class)
    public fun accessTokenInsteadOfBlocking(refused: String): String =
        engine.askBlocking { caller, moment -> MachineEvent.RefusedByApi(caller, refused, moment) }

    /**
     * Returns another access token in place of one with which the user showed too long ago who they are: an API has answered
     * 401 with `insufficient_user_authentication`, or 403 with `reauthentication_required`.
     *
     * Lets the user show again who they are, as [onReauthenticate] says. Throws [AuthError.ReauthenticationRequired] if they
     * do not.
     */
    public suspend fun accessTokenAfterProof(refused: String): String {
        askFor(refused)
        return accessTokenInsteadOf(refused)
    }

    /** Lets the user show again who they are, unless they did since the token was issued. */
    private suspend fun askFor(refused: String) {
        val session = engine.session
        // Another call may have brought the proof already, and a newer token, unless that could not be fetched yet.
        if (session == null || session.record.accessToken != refused || session.isOutdated) return
        val epoch = session.record.version.epoch
        val isShown = asking.ask(epoch)
        if (engine.session?.record?.version?.epoch != epoch) throw sessionIsOver()
        if (!isShown) throw AuthException(AuthError.ReauthenticationRequired)
    }

    /** Which of all sessions on this device the present one is; `null` without one. */
    internal val epoch: Long? get() = engine.session?.record?.version?.epoch

    /** The error of a call whose session is over. */
    internal fun sessionIsOver() = AuthException(AuthError.SignedOut((state.value as? State.SignedOut)?.reason))

    /** Returns another access token like [accessTokenAfterProof], for a thread that may wait. */
    @Throws(IOException::class)
    public fun accessTokenAfterProofBlocking(refused: String): String = try {
        runBlocking { accessTokenAfterProof(refused) }
    } catch (interrupted: InterruptedException) {
        Thread.currentThread().interrupt()
        throw InterruptedIOException("interrupted while the user was asked").initCause(interrupted)
    }

    /**
     * Sets what lets the user show again who they are, by [reauthenticate] or its sisters. It runs on a thread of the library.
     *
     * Calls that need this wait for it and are sent again, once; if it throws, they fail as they would without it. Closing the
     * result takes it off.
     */
    public fun onReauthenticate(body: suspend () -> Unit): Closeable {
        asking.set(body)
        return Closeable { asking.remove(body) }
    }

    /** Whether a request to this URL may have the access token: the base URL's server, and [Configuration.alsoSendTo]. */
    public fun mayKnowToken(url: String): Boolean = engine.api.baseUrl.mayKnowToken(url, configuration.alsoSendTo)

    /**
     * Sends a request to your API with the access token.
     *
     * The token goes where [mayKnowToken] allows it; any other request is sent without. If the API answers 401, the token is
     * renewed and the request is sent again, once, unless its body is a stream. If the API wants a more recent authentication,
     * [onReauthenticate] comes before that. Redirects are not followed. A second 401 is returned as it is.
     */
    public suspend fun send(request: HttpRequest): HttpResponse {
        if (!mayKnowToken(request.url)) return engine.api.limited(request, null)
        return repeated(request.stream == null) { Reply(engine.api.limited(request.with(it), null)) }.response
    }

    /** Sends a request to the server's own API with the access token, and a second time after 401. */
    internal suspend fun authorized(call: Call): Map<String, Any?> {
        val reply = repeated { engine.api.send(call, it) }
        // The session is still there.
        if (reply.isInactive) throw AuthException(reply.refused(Reply.INACTIVE))
        return reply.success()
    }

    /**
     * Sends a request with a token, and after 401 with another one if there is any. Returns the last response.
     *
     * A 403 that says that the account is inactive may be an API's own. The token is renewed, and the server's answer to that
     * decides.
     */
    private suspend fun repeated(mayRepeat: Boolean = true, send: suspend (token: String) -> Reply): Reply {
        val token = accessToken()
        val user = engine.session?.record?.userId
        val first = send(token)
        val objection = first.objection
        val isInactive = objection == Objection.INACTIVE
        if (objection == null || !isInactive && !mayRepeat) return first
        val other = try {
            if (objection == Objection.RECENCY) askFor(token)
            // With 403 the server judges the session and not the token.
            val isOfSession = objection == Objection.RECENCY && first.status == 403
            engine.usableToken.takeIf { isOfSession } ?: accessTokenInsteadOf(token)
        } catch (failure: AuthException) {
            val hasNoOther = failure.error == AuthError.RefusedAgain || failure.error == AuthError.ReauthenticationRequired
            if (hasNoOther || isInactive && failure.error.keepsSession) return first
            throw failure
        }
        if (isInactive) return first
        // Another user may have signed in meanwhile, whose request this is not.
        if (engine.session?.record?.userId != user) throw sessionIsOver()
        return send(other)
    }

    // Signing out

    /**
     * Signs out: here at once, whether or not there is a network, then on the server. It does not throw.
     *
     * The call returns once the sign-out is stored and the server has confirmed it; it waits for 10 seconds at most for each.
     * A server that could not be reached is told later, for 30 days. The restore key, if there is one, is deleted before, which may
     * take 3 seconds.
     */
    public suspend fun signOut(scope: SignOutScope = SignOutScope.THIS_SESSION): SignOutResult {
        if (scope != SignOutScope.OTHERS) {
            val keys = restoreKeys ?: return engine.signOut(scope)
            // The sign-out goes on if its caller does not.
            val signingOut = engine.begin {
                keys.clear()
                engine.signOut(scope)
            }
            return signingOut.await()
        }
        val isConfirmed = try {
            authorized(Call("DELETE", "/sessions"))
            true
        } catch (_: AuthException) {
            false
        }
        return SignOutResult(isStored = true, isConfirmed)
    }

    /** Calls a function on a thread of the library whenever the session has ended. Closing the result ends this. */
    public fun onSignedOut(body: (SignOutReason) -> Unit): Closeable {
        val job = engine.collect { if (it is Event.SignedOut) body(it.reason) }
        return Closeable { job.cancel() }
    }

    /** Stops all work of this object. The session stays in the store. */
    override fun close() {
        engine.close()
    }

    // The server

    private class Discovered(val document: Discovery, val entityTag: String?, val readAt: Duration)

    /**
     * Reads what the server offers: code lengths, channels, providers. The result is kept for five minutes.
     *
     * A server that has no such document leaves every value unknown.
     */
    public suspend fun discover(): Discovery {
        val known = synchronized(this) { discovered }
        if (known != null && configuration.clock.now - known.readAt < 300.seconds) return known.document
        val headers = known?.entityTag?.let { mapOf("If-None-Match" to it) } ?: emptyMap()
        val reply = engine.api.send(Call("GET", "/.well-known/latchkey", headers = headers))
        val document = when {
            reply.status == 304 && known != null -> known.document
            reply.status == 404 -> Discovery(emptyMap<String, Any>())
            else -> Discovery(reply.success())
        }
        synchronized(this) { discovered = Discovered(document, reply.entityTag ?: known?.entityTag, configuration.clock.now) }
        return document
    }

    /** Sends a request that needs no session. */
    internal suspend fun post(
        path: String, body: Map<String, Any?>, key: String? = Digests.token(), headers: Map<String, String> = emptyMap(),
    ): Map<String, Any?> {
        val call = Call("POST", path, body = body.filterValues { it != null }, idempotencyKey = key, headers = headers)
        val reply = engine.api.send(call)
        if (reply.isMissing) throw AuthException(AuthError.MethodNotOffered)
        return reply.success()
    }

    internal companion object {
        val USUAL: Duration = 30.seconds
    }
}
