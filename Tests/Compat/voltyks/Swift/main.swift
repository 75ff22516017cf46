import Foundation

// Runs the printed client: compat-voltyks GATEWAY LIFE EMAIL PASSWORD. Ends with 0 if all is as the document says.
let life = Life(email: CommandLine.arguments[3], password: CommandLine.arguments[4])
switch CommandLine.arguments[2] {
case "whole": await life.whole()
case "refused-twice": await life.refusedTwice()
case "trouble": await life.trouble()
case "lost-answer": await life.lostAnswer()
case "two-at-once": await life.twoAtOnce()
case "expiry": await life.expiry()
default: exit(2)
}
exit(life.report.isGood ? 0 : 1)
