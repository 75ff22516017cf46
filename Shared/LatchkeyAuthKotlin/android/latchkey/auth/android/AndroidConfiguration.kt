package latchkey.auth.android

import android.content.Context
import android.os.Build
import android.os.SystemClock
import android.os.UserManager
import java.io.File
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay
import latchkey.auth.Configuration
import latchkey.auth.DeviceClock
import latchkey.auth.FileStore
import latchkey.auth.installationIdIn

/**
 * Returns the settings for an Android app, from API level 23 on: the session in an encrypted file outside backups, requests by
 * `HttpURLConnection`, and the app's own lifecycle and network.
 *
 * The store is read on a thread of the library, since the KeyStore can take long; the state is `Starting` until then. With
 * OkHttp in the app, set `transport` to an `OkHttpTransport`.
 */
public fun androidConfiguration(context: Context, baseUrl: String, profile: String = "default"): Configuration {
    val app = context.applicationContext
    val configuration = Configuration(baseUrl, androidStore(app, profile), UrlTransport(), AndroidClock())
    configuration.readsAtOnce = false
    configuration.surroundings = AndroidSurroundings(app)
    configuration.deviceName = Build.MODEL
    configuration.installationId = { installationIdIn(File(app.noBackupFilesDir, "latchkey")) }
    return configuration
}

/** Returns the store of a profile: a file in `noBackupFilesDir`, encrypted by a key of the KeyStore. */
public fun androidStore(context: Context, profile: String = "default"): FileStore {
    val seal = KeyStoreSeal(profile) { isUserUnlocked(context) }
    return FileStore(File(context.noBackupFilesDir, "latchkey"), profile, seal)
}

/** Whether the device was unlocked since it started. Before API level 24 no app runs earlier. */
private fun isUserUnlocked(context: Context): Boolean =
    Build.VERSION.SDK_INT < 24 || (context.getSystemService(Context.USER_SERVICE) as? UserManager)?.isUserUnlocked != false

/** Android's clocks. The first one goes on while the device sleeps. */
public class AndroidClock : DeviceClock {
    override val now: Duration get() = SystemClock.elapsedRealtime().milliseconds
    override val wallSeconds: Long get() = System.currentTimeMillis() / 1000

    override suspend fun sleepUntil(time: Duration): Unit = delay(time - now)
}
