import Foundation
import SwiftUI

/// An app that runs one step of the checks and says so on its screen, for a phone that no console is connected to.
@main struct KeychainCheckApp: App {
    init() {
        let step = ProcessInfo.processInfo.environment["LATCHKEY_STEP"] ?? "again"
        KeychainChecks.run(step)
        print("check end")
    }

    var body: some Scene {
        WindowGroup { Text("The checks are done. See the console.") }
    }
}
