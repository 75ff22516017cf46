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

/**
 * Opens a provider's own page in a Custom Tab, or in the browser where there are none.
 *
 * Keep the result until the provider opens the app by the link `redirect`, and pass it with that link to `finishSignIn`.
 * See [prepareBrowser] for the parameters.
 */
public fun LatchkeyAuth.signInWithBrowser(activity: Activity, provider: String, redirect: String): PendingBrowser {
    val pending = prepareBrowser(provider, redirect)
    val tab = Bundle()
    // This member alone, of any value, asks for a Custom Tab.
    tab.putBinder("android.support.customtabs.extra.SESSION", null)
    try {
        activity.startActivity(Intent(Intent.ACTION_VIEW, Uri.parse(urlOf(pending))).putExtras(tab))
    } catch (_: ActivityNotFoundException) {
        throw AuthException(AuthError.Refused(0, "no_browser", null))
    }
    return pending
}
