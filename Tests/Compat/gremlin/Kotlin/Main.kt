import java.io.File
import kotlin.system.exitProcess

// Runs the printed client: run-kotlin gremlin GATEWAY LIFE ADMINISTRATOR PASSWORD USER PASSWORD. Ends with 0 if all is as the
// document says.
fun main(arguments: Array<String>) {
    Addresses.gateway = arguments[0]
    when (arguments[1]) {
        "whole" -> whole(arguments[2], arguments[3], arguments[4], arguments[5])
        "expiry" -> expiry(arguments[2], arguments[3])
        else -> exitProcess(2)
    }
    exitProcess(if (Report.isGood) 0 else 1)
}

private fun whole(administrator: String, password: String, user: String, otherPassword: String) {
    Report.statement("G12 G24", "a malformed token is 401") {
        val answer = users("bad")
        answer.status == 401 && !answer.refusal?.code.isNullOrEmpty()
    }
    var session: Session? = null
    Report.statement("G2 G4 G5 G6 G11 G24", "the session's token opens the list") {
        val signedIn = signIn(administrator, password)
        session = signedIn.session
        val answer = users(session?.token ?: "")
        answer.status == 200 && signedIn.user?.email == administrator && signedIn.user.role == "admin"
            && session?.expiresAt?.endsWith("Z") == true
            && answer.users.any { it.id == signedIn.user.id && it.email == administrator && it.is_active == true }
    }
    Report.statement("G8", "the refresh token brings another token that opens the list, and the next refresh token") {
        val next = refresh(session?.refreshToken ?: "")
        next != null && next.token != session?.token && next.refreshToken != session?.refreshToken
            && next.expiresAt?.endsWith("Z") == true && users(next.token ?: "").status == 200
            && refresh(next.refreshToken ?: "") != null
    }
    Report.statement("G14 G16", "a user without the role is 403, and can see that he is active") {
        val signedIn = signIn(user, otherPassword)
        val answer = users(signedIn.session?.token ?: "")
        signedIn.user?.is_active == true && answer.status == 403 && answer.refusal?.code == "FORBIDDEN" && answer.refusal.is_active == true
    }
    Report.statement("G18", "after sign-out the token opens nothing on the server") {
        val token = signIn(administrator, password).session?.token ?: ""
        signOut(token)
        // The promised bound is 100 ms after the answer.
        Thread.sleep(100)
        users(token).status == 401
    }
}

/** The server's clock is moved past the token's end; its processes look every second. */
private fun expiry(administrator: String, password: String) {
    Report.statement("G7 G12 G25", "after an hour the token is 401, and a refresh brings a good one") {
        val session = signIn(administrator, password).session
        val before = users(session?.token ?: "").status
        File(System.getenv("COMPAT_CLOCK")).writeText("+3601\n")
        Thread.sleep(2000)
        val after = users(session?.token ?: "").status
        before == 200 && after == 401 && users(refresh(session?.refreshToken ?: "")?.token ?: "").status == 200
    }
}
