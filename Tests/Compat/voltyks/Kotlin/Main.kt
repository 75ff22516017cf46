import kotlin.system.exitProcess

// Runs the printed client: run-kotlin voltyks GATEWAY LIFE EMAIL PASSWORD. Ends with 0 if all is as the document says.
fun main(arguments: Array<String>) {
    Addresses.gateway = arguments[0]
    val life = Life(arguments[2], arguments[3])
    when (arguments[1]) {
        "whole" -> life.whole()
        "refused-twice" -> life.refusedTwice()
        "trouble" -> life.trouble()
        "lost-answer" -> life.lostAnswer()
        "two-at-once" -> life.twoAtOnce()
        "expiry" -> life.expiry()
        else -> exitProcess(2)
    }
    exitProcess(if (Report.isGood) 0 else 1)
}
