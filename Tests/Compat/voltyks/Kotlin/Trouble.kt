import java.io.File

// What networks and servers do to a client.

/** The first refresh fails, by whatever stands in the way; then nothing does. */
fun Life.trouble() {
    signIn()
    Report.statement("V39", "a refresh that fails for now leaves the tokens where they are") {
        val before = saved
        refresh() == null && saved == before
    }
    Report.statement("V39", "the next refresh works") {
        val before = saved
        Way.clear()
        refresh() == saved["accessToken"] && saved["refreshToken"] != before["refreshToken"] && saved.size == 4
    }
}

/** The answer to the first refresh is lost: the document's one-time use ends the session at the next. */
fun Life.lostAnswer() {
    signIn()
    Report.statement("V14", "after a lost answer the tokens are there, and the next refresh is a mismatch") {
        val before = saved
        val isKept = refresh() == null && saved == before
        Way.clear()
        isKept && refresh() == null && saved.isEmpty()
    }
}

/** Two calls refresh at once with the one token: one of them is a mismatch, and clears what the other may have saved. */
fun Life.twoAtOnce() {
    signIn()
    Report.statement("V14", "of two refreshes at once one works, and the other is a mismatch") {
        refreshBoth().toSet() == setOf(null, "Session expired")
    }
}

/** The app's API refuses every access token: one refresh, one retry, then the user is signed out. */
fun Life.refusedTwice() {
    signIn()
    Report.statement("V28", "a call that is refused again is not made a third time, and the session has expired") {
        screen.getChargers()
        screen.join()
        Way.count("/api/chargers") == 2 && Way.count("/api/Auth/RefreshToken") == 1 && saved.isEmpty()
            && sessionExpiries == 1 && screen.chargers == null
    }
}

/** The server's clock is moved past the end of the access token, then of the refresh token. */
fun Life.expiry() {
    signIn()
    Report.statement("V33", "once the access token has expired the next call refreshes it") {
        val before = saved
        screen.getChargers()
        screen.join()
        val isGood = screen.chargers != null && saved == before
        moveClock(1801)
        val calls = Way.count("/api/chargers")
        screen.getChargers()
        screen.join()
        isGood && Way.count("/api/chargers") == calls + 2 && saved["accessToken"] != before["accessToken"] && saved.size == 4
    }
    Report.statement("V33 V36", "once the refresh token has expired nothing is saved any more") {
        moveClock(1801 + 604_801)
        screen.getChargers()
        screen.join()
        saved.isEmpty()
    }
}

/** Has the server's processes live so many seconds ahead; they look every second. */
private fun moveClock(seconds: Int) {
    File(System.getenv("COMPAT_CLOCK")).writeText("+$seconds\n")
    Thread.sleep(2000)
}
