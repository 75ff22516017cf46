/// One of slowhttptest's attacks.
struct SlowAttack: Sendable {
    static let connectionCount = 1000
    static let seconds = 20

    let name: String
    /// The options that select the attack, and its path.
    let options: String
    let path: String

    /// Against what everybody reaches without a token.
    static let all = [
        SlowAttack(name: "headers", options: "-H -i 5", path: "/api/things"),
        SlowAttack(name: "body", options: "-B -i 5 -s 8192", path: "/auth/otp/request"),
        SlowAttack(name: "read", options: "-X -w 64 -y 128 -n 5 -z 32 -k 3", path: "/.well-known/jwks.json"),
        // A route that the policy opens: each of these requests would hold a connection to the app's API.
        SlowAttack(name: "open-body", options: "-B -i 5 -s 8192", path: "/open/upload"),
        SlowAttack(name: "open-read", options: "-X -w 64 -y 128 -n 5 -z 32 -k 1", path: "/open/large"),
    ]

    func command(port: Int) -> String {
        """
        exec setpriv --pdeathsig KILL slowhttptest -c \(Self.connectionCount) -r 250 -l \(Self.seconds) -p 3 \(options) \
        -u 'http://127.0.0.1:\(port)\(path)'
        """
    }
}
