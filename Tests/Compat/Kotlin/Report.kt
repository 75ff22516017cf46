/** What a client's run says of its document's statements: `ok ID: words`, or `not so ID: words`, a line each. */
object Report {
    private var failures = 0

    /** Whether every statement so far holds. */
    val isGood: Boolean get() = failures == 0

    /** Says whether the statement with these row ids holds; what is thrown says that it does not. */
    fun statement(ids: String, words: String, holds: () -> Boolean) {
        var why = ""
        val isSo = try {
            holds()
        } catch (error: Throwable) {
            why = " ($error)"
            false
        }
        if (!isSo) failures += 1
        for (id in ids.split(" ")) println("${if (isSo) "ok" else "not so"} $id: $words$why")
    }
}
