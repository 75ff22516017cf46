package androidx.compose.runtime.saveable

import androidx.compose.runtime.Composable
import androidx.compose.runtime.MutableState

@Composable
fun <T> rememberSaveable(init: () -> MutableState<T>): MutableState<T> = init()
