import FoundationEssentials
import TestSupport
import Testing

@testable import BenchCore

extension Live {
    /// A gateway with fewer file descriptors than clients.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DescriptorLimitTests {
        private static let descriptorsMax = 256
        private static let crowd = 400

        @Test func `without descriptors open connections go on, and new ones are served when the crowd has left`()
            async throws
        {
            let request = LoadRequest.get("/.well-known/jwks.json")
            try await LatchkeyStack.run(name: "DescriptorLimit") { stack in
                let (process, port) = (try stack.runningProcess("gateway"), try stack.gatewayPort)
                try await LoadConnection.with(1, port: port) { earlier in
                    try await earlier[0].send(request, expecting: 200)
                    let limit = try await Shell.run(
                        "prlimit --pid \(process) --nofile=\(Self.descriptorsMax):", in: "/")
                    try #require(limit.isSuccess)
                    // The kernel's queue takes those that the gateway cannot.
                    try await LoadConnection.with(Self.crowd, port: port) { _ in
                        try await eventually("there is no descriptor left") {
                            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
                            return open >= Self.descriptorsMax - 8
                        }
                        try await earlier[0].send(request, expecting: 200)
                    }
                    try await LoadConnection.with(1, port: port) { try await $0[0].send(request, expecting: 200) }
                }
                #expect(stack.processID(of: "gateway") == process)
            }
        }
    }
}
