// Runs the receiver beside it with the requests of docs-receiver-requests.py.
import Foundation

struct Request: Decodable {
    let headers: [String: String]
    let body: String
}

var applied: [String] = []
guard var receiver = EventReceiver(secret: ProcessInfo.processInfo.environment["USER_HOOK_SECRET"] ?? "") else { exit(1) }
while let line = readLine() {
    let request = try JSONDecoder().decode(Request.self, from: Data(line.utf8))
    print(try receiver.receive(request.headers, request.body) { applied.append($0.type) })
}
for type in applied { print(type) }
