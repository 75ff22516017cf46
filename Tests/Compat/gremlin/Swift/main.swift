import Foundation

// Runs the printed client: compat-gremlin GATEWAY LIFE ADMINISTRATOR PASSWORD USER PASSWORD. Ends with 0 if all is as the
// document says.
let life = Life()
let names = CommandLine.arguments
switch names[2] {
case "whole": await life.whole((names[3], names[4]), (names[5], names[6]))
case "expiry": await life.expiry((names[3], names[4]))
default: exit(2)
}
exit(life.report.isGood ? 0 : 1)
