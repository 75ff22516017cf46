import Foundation

// Runs the printed client against a stack: compat-howru GATEWAY INBOX. Ends with 0 if all is as the document says.
let life = Life()
await life.run()
exit(life.report.isGood ? 0 : 1)
