import Glibc

/// Checks on a process's operations port whether the process can do its job now.
enum ReadinessProbe {
    private static let timeoutMilliseconds = 500

    /// Whether `/readyz` responds with 200; for Redis, whether it accepts a connection.
    static func isReady(_ spec: ProcessSpec) -> Bool {
        guard
            let socket = LoopbackSocket.connect(
                to: spec.opsPort ?? spec.servicePort, timeoutMilliseconds: timeoutMilliseconds)
        else { return false }
        defer { close(socket) }
        return spec.opsPort == nil || answersOK(socket)
    }

    /// Returns the body of a small response with 200 from a process of the stack; empty after any failure.
    static func body(of path: String, port: UInt16) -> String {
        guard let socket = LoopbackSocket.connect(to: port, timeoutMilliseconds: timeoutMilliseconds) else { return "" }
        defer { close(socket) }
        let response = answer(socket, path, upTo: 4096)
        guard response.hasPrefix(ok), let end = response.firstRange(of: "\r\n\r\n") else { return "" }
        return String(response[end.upperBound...])
    }

    private static let ok = "HTTP/1.1 200"

    private static func answersOK(_ socket: Int32) -> Bool { answer(socket, "/readyz", upTo: 64).hasPrefix(ok) }

    /// Sends a request, and reads until the connection closes or there are enough bytes.
    private static func answer(_ socket: Int32, _ path: String, upTo bytesMax: Int) -> String {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8)
        guard unsafe send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return "" }
        var bytes: [UInt8] = []
        while bytes.count < bytesMax {
            var part = [UInt8](repeating: 0, count: bytesMax - bytes.count)
            let count = unsafe recv(socket, &part, part.count, 0)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
