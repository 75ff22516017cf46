// Stand-ins for Compose, so that the example app is compiled. The annotation has no effect without Compose's compiler plugin.
package androidx.compose.runtime

import kotlin.reflect.KProperty
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.StateFlow

@Target(AnnotationTarget.FUNCTION, AnnotationTarget.TYPE)
annotation class Composable

interface State<out T> {
    val value: T
}

interface MutableState<T> : State<T> {
    override var value: T
}

operator fun <T> State<T>.getValue(owner: Any?, property: KProperty<*>): T = value

operator fun <T> MutableState<T>.setValue(owner: Any?, property: KProperty<*>, value: T) {
    this.value = value
}

fun <T> mutableStateOf(value: T): MutableState<T> = object : MutableState<T> {
    override var value = value
}

@Composable
fun <T> remember(calculation: () -> T): T = calculation()

@Composable
fun rememberCoroutineScope(): CoroutineScope = throw NotImplementedError()

@Composable
fun LaunchedEffect(key1: Any?, block: suspend CoroutineScope.() -> Unit): Unit = throw NotImplementedError()

@Composable
fun <T> StateFlow<T>.collectAsState(): State<T> = mutableStateOf(value)
