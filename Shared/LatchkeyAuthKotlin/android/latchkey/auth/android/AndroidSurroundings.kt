package latchkey.auth.android

import android.app.Activity
import android.app.Application
import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import android.content.IntentFilter
import android.net.ConnectivityManager
import android.net.Network
import android.net.NetworkRequest
import android.os.Build
import android.os.Bundle
import kotlinx.coroutines.channels.SendChannel
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.callbackFlow
import latchkey.auth.Change
import latchkey.auth.Surroundings

/**
 * The changes of an Android app: its activities come and go, the network comes back, the device is unlocked.
 *
 * The network is followed if the app has the permission `ACCESS_NETWORK_STATE`.
 */
public class AndroidSurroundings(private val context: Context) : Surroundings {
    override val changes: Flow<Change> = callbackFlow {
        val stops = listOfNotNull(followActivities(channel), followNetwork(channel), followUnlock(channel))
        awaitClose { for (stop in stops) stop() }
    }

    private fun followActivities(changes: SendChannel<Change>): (() -> Unit)? {
        val application = context.applicationContext as? Application ?: return null
        val activities = StartedActivities { changes.trySend(it) }
        application.registerActivityLifecycleCallbacks(activities)
        return { application.unregisterActivityLifecycleCallbacks(activities) }
    }

    private fun followNetwork(changes: SendChannel<Change>): (() -> Unit)? {
        val manager = context.getSystemService(Context.CONNECTIVITY_SERVICE) as? ConnectivityManager ?: return null
        val callback = object : ConnectivityManager.NetworkCallback() {
            override fun onAvailable(network: Network) {
                changes.trySend(Change.NETWORK_BACK)
            }
        }
        return try {
            manager.registerNetworkCallback(NetworkRequest.Builder().build(), callback);
            { manager.unregisterNetworkCallback(callback) }
        } catch (_: SecurityException) {
            null
        }
    }

    private fun followUnlock(changes: SendChannel<Change>): (() -> Unit)? {
        if (Build.VERSION.SDK_INT < 24) return null
        val receiver = object : BroadcastReceiver() {
            override fun onReceive(context: Context, intent: Intent) {
                changes.trySend(Change.PROTECTED_DATA_THERE)
            }
        }
        context.registerReceiver(receiver, IntentFilter(Intent.ACTION_USER_UNLOCKED))
        return { context.unregisterReceiver(receiver) }
    }
}

/** Counts the started activities: the app is in the foreground while there is one. */
internal class StartedActivities(private val tell: (Change) -> Unit) : Application.ActivityLifecycleCallbacks {
    private var count = 0

    override fun onActivityStarted(activity: Activity) {
        if (count++ == 0) tell(Change.FOREGROUND)
    }

    override fun onActivityStopped(activity: Activity) {
        // An activity that was started before this object existed is not in the count.
        count = maxOf(0, count - 1)
        if (count == 0 && !activity.isChangingConfigurations) tell(Change.BACKGROUND)
    }

    override fun onActivityCreated(activity: Activity, savedInstanceState: Bundle?) {}

    override fun onActivityResumed(activity: Activity) {}

    override fun onActivityPaused(activity: Activity) {}

    override fun onActivitySaveInstanceState(activity: Activity, outState: Bundle) {}

    override fun onActivityDestroyed(activity: Activity) {}
}
