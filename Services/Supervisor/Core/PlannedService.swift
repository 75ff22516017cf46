/// A service and the ports of its replicas.
struct PlannedService {
    let name: String
    let executable: String
    let ports: [UInt16]
    let usesRedis: Bool
    /// Whether it listens at a socket file too: those that the gateway calls for itself.
    var hasSocketFile = false

    var urls: String { ports.map(Self.url).joined(separator: ",") }

    /// The same for a caller that takes socket files; ports for those whose path would be too long for one, or not stand in
    /// a list.
    func localURLs(in data: DataDirectory) -> String {
        ports.enumerated().map { index, port in
            let file = socketFile(ofReplica: index, in: data).flatMap { $0.contains(",") ? nil : $0 }
            return file.map { "unix://\($0)" } ?? Self.url(port)
        }.joined(separator: ",")
    }

    func process(ofReplica index: Int) -> String { index == 0 ? name : "\(name)-\(index + 1)" }

    func socketFile(ofReplica index: Int, in data: DataDirectory) -> String? {
        hasSocketFile ? data.socketFile(process(ofReplica: index)) : nil
    }

    private static func url(_ port: UInt16) -> String { "http://127.0.0.1:\(port)" }
}
