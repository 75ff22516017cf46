import ConsoleCore
import ControlCore
import Dispatch
import GatewayCore
import Glibc
import InboxCore
import OTPCore
import SampleAPICore
import ServiceKit
import SupervisorCore
import TokenCore
import TokenTables
import UserCore
import UserTables

// All processes in one file, for releases: the name by which it is called says which one runs. So what they share, such as
// Foundation's 34 MB of tables, is on the disk once and in memory once (deploy/docs/decisions/releases-in-one-file.md).

let tokenStorage = StorageSource<TokenStorage>.chosen(
    by: "TOKEN_DATABASE_URL", set: TokenDatabase.server, unset: TokenDatabase.file)
let userStorage = StorageSource<UserStorage>.chosen(
    by: "USER_DATABASE_URL", set: UserDatabase.server, unset: UserDatabase.file)

/// Returns the process with a name, or `nil` if there is no such process.
func process(named name: String) -> (@MainActor @Sendable () async -> Void)? {
    switch name {
    case "gateway": { await Gateway.run() }
    case "otp-service": { await OTPService.run() }
    case "token-service": { await TokenService.run(storage: tokenStorage) }
    case "user-service": { await UserService.run(storage: userStorage) }
    case "console": { await ConsoleService.run() }
    case "inbox": { await InboxService.run() }
    case "sample-api": { await SampleAPI.run() }
    case "latchkeyctl": { await LatchkeyControl.start() }
    default: nil
    }
}

let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
if name == "supervisor" {
    // Before there are tasks, and so other threads.
    Supervisor.start()
} else if let run = process(named: name) {
    Task { @MainActor in
        await run()
        exit(0)
    }
    dispatchMain()
} else {
    let line = "\(name): call me by a link that bears the name of a process, such as gateway or latchkeyctl\n"
    _ = unsafe write(STDERR_FILENO, Array(line.utf8), line.utf8.count)
    exit(64)
}
