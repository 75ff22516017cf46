package latchkey.auth.android

import android.app.Activity
import android.content.ActivityNotFoundException
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import latchkey.auth.AuthError
import latchkey.auth.AuthException
import latchkey.auth.LatchkeyAuth
import latchkey.auth.PendingBrowser
import latchkey.auth.prepareBrowser
import latchkey.auth.urlOf
import latchkey.auth.urlToAdd
import latchkey.auth.urlToReauthenticate

/**
 * Opens a provider's own page in a Custom Tab, or in the browser where there are none.
 *
 * Keep the result until the provider opens the app by the link `redirect`, and pass it with that link to `finishSignIn`.
 * See [prepareBrowser] for the parameters.
 */
public fun LatchkeyAuth.signInWithBrowser(activity: Activity, provider: String, redirect: String): PendingBrowser {
    val pending = prepareBrowser(provider, redirect)
    openPage(activity, urlOf(pending))
    return pending
}

/**
 * Opens a provider's own page, at which the user adds an account. Keep the result, and pass it with the link by which the provider
 * opens the app to `finishAdding`.
 */
public suspend fun LatchkeyAuth.addWithBrowser(activity: Activity, provider: String, redirect: String): PendingBrowser =
    prepareBrowser(provider, redirect).also { openPage(activity, urlToAdd(it)) }

/**
 * Opens a provider's own page, at which the user shows again who they are. Keep the result, and pass it with the link by which the
 * provider opens the app to `AccountProof.browser`, whose result `reauthenticate` takes.
 */
public suspend fun LatchkeyAuth.reauthenticateWithBrowser(
    activity: Activity, provider: String, redirect: String,
): PendingBrowser = prepareBrowser(provider, redirect).also { openPage(activity, urlToReauthenticate(it)) }

private fun openPage(activity: Activity, url: String) {
    val tab = Bundle()
    // This member alone, of any value, asks for a Custom Tab.
    tab.putBinder("android.support.customtabs.extra.SESSION", null)
    try {
        activity.startActivity(Intent(Intent.ACTION_VIEW, Uri.parse(url)).putExtras(tab))
    } catch (_: ActivityNotFoundException) {
        throw AuthException(AuthError.Refused(0, "no_browser", null))
    }
}
