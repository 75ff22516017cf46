/// A process and the ports of its replicas.
struct PlannedService {
    let process: ManagedProcess
    let ports: [UInt16]

    var name: String { process.name }
    var urls: String { ports.map { "http://127.0.0.1:\($0)" }.joined(separator: ",") }

    func process(ofReplica index: Int) -> String { index == 0 ? name : "\(name)-\(index + 1)" }
}
