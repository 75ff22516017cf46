package latchkey.auth

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import latchkey.auth.http.Call
import latchkey.auth.support.Json
import latchkey.auth.support.Percent

/**
 * Reads everything that the server stores about the user, and returns it as one JSON document. It needs a recent sign-in or
 * reauthentication, and the server allows a few exports a day. After an error nothing is returned; another call begins anew.
 */
public suspend fun LatchkeyAuth.exportData(): ByteArray = withContext(Dispatchers.Default) { pages() }

private suspend fun LatchkeyAuth.pages(): ByteArray {
    val route = "/users/me/export"
    accessToken()
    val epoch = engine.session?.record?.version?.epoch
    val export = Export()
    repeat(Export.PAGES_MAX) {
        val query = export.cursor?.let { "?cursor=${Percent.encode(it)}" }.orEmpty()
        val page = authorized(Call("GET", route + query, route))
        // Another user may have signed in meanwhile.
        if (engine.session?.record?.version?.epoch != epoch) throw sessionIsOver()
        export.add(page)
        if (export.cursor == null) return Json.encode(export.members)
    }
    throw AuthException(AuthError.NotLatchkey)
}

/** The document that the pages of an export become. */
private class Export {
    val members: MutableMap<String, Any?> = LinkedHashMap()

    /** The cursor of the page that comes next; `null` before the first page and after the last one. */
    var cursor: String? = null
        private set

    /**
     * Adds the next page. Rows of arrays are appended to those of earlier pages; of any other member the first value counts.
     * Throws [AuthError.NotLatchkey] if the page does not belong to the export.
     */
    fun add(page: Map<String, Any?>) {
        val next = page["nextCursor"]
        val version = page["version"] as? Long
        val belongs = version != null && (members["version"] ?: version) == version
        val leadsOn = next is String && next.isNotEmpty() && next != cursor
        if (!belongs || next != null && !leadsOn) throw AuthException(AuthError.NotLatchkey)
        for ((name, value) in page - "nextCursor") {
            val known = members[name]
            members[name] = if (known is List<*> && value is List<*>) known + value else known ?: value
        }
        cursor = next as? String
    }

    companion object {
        /** The most pages of an export. A page has up to 1,000 rows. */
        const val PAGES_MAX = 1000
    }
}
