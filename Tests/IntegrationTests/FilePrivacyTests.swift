import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension Live {
    /// The files that a running stack leaves in its data folder, with any umask of the user who started it.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack([:])) struct FilePrivacyTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test(.onFiles) func `no file or socket of the data folder is anybody's but its owner's`() async throws {
            _ = try await stack.signIn()
            let open = try await Shell.run("find . -not -type l -perm /077 | sort", in: stack.dataDirectory)
            #expect(open.isSuccess && open.output.isEmpty, "\(open.output)")
            let all = try await Shell.run("find . -type f", in: stack.dataDirectory)
            let names = [
                "tokens.sqlite", "users.sqlite", "tokens.sqlite.checkpoints", "users.sqlite.checkpoints", "secrets/",
                "log/gateway.log",
            ]
            for name in names {
                #expect(all.output.contains(name), "\(all.output)")
            }
        }

        @Test(.enabled(if: isRoot, "only root may become another user"))
        func `another user of the host reads nothing of it`() async throws {
            let read = try await Shell.run(
                "setpriv --reuid=65534 --regid=65534 --clear-groups find '\(stack.dataDirectory)' -type f", in: "/")
            #expect(!read.isSuccess)
            let lines = read.output.split(separator: "\n")
            #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("Permission denied") }, "\(read.output)")
        }
    }
}

private let isRoot = geteuid() == 0
