package com.example.latchkey

import android.app.Application
import latchkey.auth.LatchkeyAuth
import latchkey.auth.android.SmsCodes
import latchkey.auth.android.androidConfiguration
import latchkey.auth.okhttp.LatchkeyInterceptor
import okhttp3.OkHttpClient

/** Where the server is, and the app's API behind it. */
const val BASE_URL = "https://api.example.com"

/** The app's one session and its client: both outlive every screen. */
class ExampleApplication : Application() {
    val auth: LatchkeyAuth by lazy {
        val configuration = androidConfiguration(this, BASE_URL)
        // Only if the policy has this hash as apps.android[].smsHash: another one is refused.
        configuration.appHash = SmsCodes.appHash(this)
        LatchkeyAuth(configuration)
    }
    val client: OkHttpClient by lazy { OkHttpClient.Builder().addInterceptor(LatchkeyInterceptor(auth)).build() }
}
