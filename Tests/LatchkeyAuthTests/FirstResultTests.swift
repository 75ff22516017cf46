import Foundation
import LatchkeyAuthTesting
import Testing

@testable import LatchkeyAuth

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct FirstResultTests {
    @Test func `the first result counts, whether the reader waits or not`() async throws {
        let early = FirstResult<Int>()
        early.finish(.success(1))
        early.finish(.success(2))
        #expect(try await early.value == 1)
        let late = FirstResult<Int>()
        async let value = late.value
        late.finish(.success(3))
        #expect(try await value == 3)
    }

    @Test func `a cancelled reader does not wait`() async {
        let result = FirstResult<Int>()
        let task = Task { try await result.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// The limit of a request holds for a transport that does not notice its cancellation.
    @Test func `a transport that never returns holds no caller up`() async throws {
        let clock = TestClock()
        let base = BaseURL(try #require(URL(string: "https://api.example.com")))
        let api = API(baseURL: base, transport: DeafTransport(), clock: clock, log: { _ in })
        let reply = Task { try await api.send(API.Call(method: .get, path: "/x")) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(20))
        await #expect(throws: AuthError.timedOut) { try await reply.value }
    }

    private struct DeafTransport: Transport {
        func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
            // Waits for an element that does not come; the task's cancellation does not reach a stream of another task.
            let never = AsyncStream<Void>.makeStream()
            await Task { for await _ in never.stream {} }.value
            throw AuthError.offline
        }
    }
}
