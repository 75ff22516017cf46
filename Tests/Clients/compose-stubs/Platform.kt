package androidx.compose.ui.platform

import android.content.Context

class CompositionLocal<T>(val current: T)

val LocalContext: CompositionLocal<Context> get() = throw NotImplementedError()
