import BenchCore
import Glibc
import ServiceKit

// A connection that the other side has closed is an error of that connection, not the end of the run.
signal(SIGPIPE, SIG_IGN)
// Tasks run on the threads that read and write the sockets, which leaves more of the machine to what is measured.
exit(
    try await withTaskExecutorPreference(EventLoopExecutor.shared) {
        try await Command.main(Array(CommandLine.arguments.dropFirst()))
    })
