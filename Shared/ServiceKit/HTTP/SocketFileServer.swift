internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// A server at a port and the same one at a socket file: they take in work, and refuse it when the process ends, together.
struct PortAndFileServers: Service {
    let atPort: any Service
    let atFile: SocketFileServer

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await atPort.run() }
            group.addTask { try await atFile.run() }
        }
    }
}

/// A server at a socket file (`LATCHKEY_SOCKET`).
///
/// NIO takes away a file that it finds in the place, also from under a server that still listens; so this asks first.
struct SocketFileServer: Service {
    let path: String
    let server: any Service

    func run() async throws {
        try checkFolder()
        try await checkNobodyListens()
        try await server.run()
    }

    private func checkFolder() throws {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/"
        guard unsafe access(folder, W_OK) == 0 else {
            throw SettingsError("LATCHKEY_SOCKET", "there is no folder '\(folder)' that may be written to")
        }
    }

    private func checkNobodyListens() async throws {
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: path).get()
        } catch {
            // No file, or one that was left behind.
            return
        }
        try await channel.close()
        throw SettingsError("LATCHKEY_SOCKET", "another process listens at '\(path)'")
    }
}
