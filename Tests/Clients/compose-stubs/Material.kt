package androidx.compose.material3

import androidx.compose.foundation.layout.RowScope
import androidx.compose.runtime.Composable

@Composable
fun Text(text: String): Unit = throw NotImplementedError()

@Composable
fun TextField(value: String, onValueChange: (String) -> Unit, label: (@Composable () -> Unit)? = null): Unit =
    throw NotImplementedError()

@Composable
fun Button(onClick: () -> Unit, content: @Composable RowScope.() -> Unit): Unit = throw NotImplementedError()
