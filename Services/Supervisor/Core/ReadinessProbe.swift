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

    private static func answersOK(_ socket: Int32) -> Bool {
        let request = Array("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8)
        guard unsafe send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return false
        }
        var answer = [UInt8](repeating: 0, count: 64)
        let count = unsafe recv(socket, &answer, answer.count, 0)
        return count > 0 && String(decoding: answer.prefix(count), as: UTF8.self).hasPrefix("HTTP/1.1 200")
    }
}
