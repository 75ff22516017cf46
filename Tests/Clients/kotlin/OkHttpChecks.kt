package latchkey.checks

import java.io.File
import java.io.IOException
import java.util.Collections
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.runBlocking
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.LatchkeyAuth
import latchkey.auth.State
import latchkey.auth.okhttp.LatchkeyAuthenticator
import latchkey.auth.okhttp.LatchkeyInterceptor
import latchkey.auth.okhttp.OkHttpTransport
import latchkey.auth.signInWithPassword
import latchkey.checks.Checks.equal
import latchkey.checks.Checks.test
import latchkey.driver.StreamBody
import okhttp3.Call
import okhttp3.Callback
import okhttp3.Dispatcher
import okhttp3.FormBody
import okhttp3.MediaType
import okhttp3.MultipartBody
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody
import okhttp3.Response
import okio.ByteString

private fun withClient(body: (Server, LatchkeyAuth, MovedClock, OkHttpClient.Builder) -> Unit) {
    val client = OkHttpClient()
    withSession(OkHttpTransport(client)) { server, auth, clock -> body(server, auth, clock, client.newBuilder()) }
}

private fun OkHttpClient.get(url: String): Int = newCall(Request.Builder().url(url).build()).execute().use { it.code() }

private fun OkHttpClient.Builder.with(kind: String, auth: LatchkeyAuth): OkHttpClient.Builder =
    if (kind == "interceptor") {
        addInterceptor(LatchkeyInterceptor(auth))
    } else {
        addInterceptor { chain ->
            val token = auth.accessTokenBlocking()
            chain.proceed(chain.request().newBuilder().header("Authorization", "Bearer $token").build())
        }.authenticator(LatchkeyAuthenticator(auth))
    }

/** The adapter for OkHttp. */
fun okHttpChecks() {
    for (kind in listOf("interceptor", "authenticator")) {
        test("$kind: a full dispatcher of the same client holds up no renewal") {
            withClient { server, auth, clock, builder ->
                val dispatcher = Dispatcher().apply { maxRequests = 4 }
                val client = builder.dispatcher(dispatcher).with(kind, auth).build()
                clock.now += 4000.seconds
                server.apiAcceptsOld = false
                val codes = Collections.synchronizedList(ArrayList<Int>())
                val done = CountDownLatch(50)
                repeat(50) {
                    client.newCall(Request.Builder().url(server.base + "/api").build()).enqueue(object : Callback {
                        override fun onFailure(call: Call, e: IOException) = done.countDown()

                        override fun onResponse(call: Call, response: Response) {
                            response.use { codes.add(it.code()) }
                            done.countDown()
                        }
                    })
                }
                equal(done.await(30, TimeUnit.SECONDS), true)
                equal(codes.groupingBy { it }.eachCount(), mapOf(200 to 50))
                equal(server.refreshes.get(), 1)
                client.dispatcher().executorService().shutdown()
            }
        }
        test("$kind: one renewal and one repeat after a 401") {
            withClient { server, auth, clock, builder ->
                val client = builder.with(kind, auth).build()
                clock.now += 100.seconds
                server.apiRefusesAll = true
                equal(client.get(server.base + "/api"), 401)
                equal(server.refreshes.get() to server.apiCalls.get(), 1 to 2)
                // The token is new, so another one would be refused as well.
                equal(client.get(server.base + "/api"), 401)
                equal(server.refreshes.get() to server.apiCalls.get(), 1 to 3)
            }
        }
    }
    for (kind in listOf("interceptor", "authenticator")) {
        test("$kind: after a 401, only a body that can be written again is sent again") {
            val type = MediaType.parse("text/plain")
            val file = File.createTempFile("latchkey", "").apply { writeText("text") }
            val text = RequestBody.create(type, "text")
            fun stream() = StreamBody(type, "text".toByteArray())
            fun form(part: RequestBody) = MultipartBody.Builder().addFormDataPart("a", "b").addFormDataPart("c", "d", part).build()
            val bodies = listOf(
                text to 200, RequestBody.create(type, "text".toByteArray()) to 200, RequestBody.create(type, file) to 200,
                RequestBody.create(type, ByteString.encodeUtf8("text")) to 200, FormBody.Builder().add("a", "b").build() to 200,
                form(text) to 200, MultipartBody.Builder().addPart(form(text)).build() to 200, stream() to 401,
                form(stream()) to 401, MultipartBody.Builder().addPart(form(stream())).build() to 401,
            )
            for ((index, each) in bodies.withIndex()) {
                withClient { server, auth, clock, builder ->
                    val client = builder.with(kind, auth).build()
                    clock.now += 100.seconds
                    // The server has renewed the session meanwhile, so the token is old.
                    server.refusedToken = "A1"
                    val request = Request.Builder().url(server.base + "/api").post(each.first).build()
                    equal(client.newCall(request).execute().use { it.code() }, each.second, index)
                    equal(server.apiCalls.get(), if (each.second == 200) 2 else 1, index)
                    equal(auth.state.value is State.SignedIn, true)
                }
            }
            file.delete()
        }
    }
    test("a 403 about the account of an API's own keeps the session and its body, and costs one renewal") {
        withClient { server, auth, clock, builder ->
            val client = builder.addInterceptor(LatchkeyInterceptor(auth)).build()
            clock.now += 100.seconds
            server.apiSaysInactive = true
            val request = Request.Builder().url(server.base + "/api").build()
            val body = client.newCall(request).execute().use { it.code() to it.body()?.string() }
            equal(body, 403 to """{"code":"account_inactive"}""")
            equal(client.get(server.base + "/api"), 403)
            equal(server.refreshes.get() to server.apiCalls.get(), 1 to 2)
            equal(auth.state.value is State.SignedIn, true)
        }
    }
    test("another host gets no token") {
        withClient { server, auth, _, builder ->
            val client = builder.addInterceptor(LatchkeyInterceptor(auth)).build()
            equal(client.get(server.base.replace("127.0.0.1", "localhost") + "/api"), 401)
            equal(client.get(server.base + "/api"), 200)
        }
    }
    test("signed out, a request fails with the reason and is not sent") {
        withClient { server, auth, _, builder ->
            val client = builder.addInterceptor(LatchkeyInterceptor(auth)).build()
            runBlocking { auth.signOut() }
            val failure = try {
                client.get(server.base + "/api")
                null
            } catch (failure: AuthException) {
                failure.error
            }
            equal(failure is AuthError.SignedOut, true, "$failure")
            equal(server.apiCalls.get(), 0)
        }
    }
    test("the app's interceptors, cookies and redirects do not reach the library's requests") {
        Server().use { server ->
            val settings = OkHttpClient.Builder().addInterceptor { throw IOException("the app's") }.build()
            val auth = session(server, OkHttpTransport(settings), MovedClock())
            runBlocking { auth.signInWithPassword("a@example.com", "secret") }
            equal(auth.accessTokenBlocking(), "A1")
            auth.close()
        }
    }
}
