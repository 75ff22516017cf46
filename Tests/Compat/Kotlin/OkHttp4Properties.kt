// As `OkHttp4.kt`; without a package, as the printed code, which imports no properties.
import okhttp3.Request
import okhttp3.Response
import okhttp3.ResponseBody

val Response.body: ResponseBody? get() = body()
val Response.request: Request get() = request()
