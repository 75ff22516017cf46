// What the documents use of OkHttp 4, as extensions of OkHttp 3's classes.
package okhttp4

import okhttp3.MediaType
import okhttp3.RequestBody

fun String.toRequestBody(contentType: MediaType? = null): RequestBody = RequestBody.create(contentType, this)
