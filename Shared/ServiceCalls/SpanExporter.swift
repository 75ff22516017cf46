import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OutgoingConnections
package import ServiceKit
import ServiceLifecycle
import Spans
import Tracing

/// Posts finished spans to the collector. No request waits for it: while the collector is away, spans are dropped and counted.
struct SpanExporter: Service {
    private static let interval: Duration = .milliseconds(500)
    /// How often spans are sent if the collector is away or busy.
    private static let triesMax = 4
    private static let postTime: Duration = .seconds(5)
    private static let pauseMax: Duration = .seconds(30)
    /// The time for all spans that wait when the process stops.
    private static let flushTime: Duration = .seconds(1)
    private static let answerBytesMax = 64 * 1024

    private enum Outcome {
        case accepted
        case refused(String)
        /// Another try may succeed, after the time that the collector states.
        case failed(String, after: Duration? = nil)
    }

    let queue: SpanQueue
    let collector: SpanCollector
    let tls: TLSConfiguration?
    let client: HTTPClient
    let logger: Logger
    private let limit = LogLimit()

    init(_ queue: SpanQueue, to collector: SpanCollector, tls: TLSConfiguration?, client: HTTPClient, logger: Logger) {
        (self.queue, self.collector, self.tls, self.client) = (queue, collector, tls, client)
        self.logger = logger
    }

    func run() async throws {
        await repeatUntilShutdown(every: Self.interval) {
            while !Task.isCancelled, let batch = queue.takeBatch() { await send(batch) }
        }
        await flush()
        try await client.shutdown()
    }

    private func send(_ batch: [FinishedSpan]) async {
        var pauseTime: Duration = .seconds(1)
        for attempt in 1...Self.triesMax {
            switch await post(batch, within: Self.postTime) {
            case .accepted: return queue.noteExported(batch.count)
            case .refused(let reason):
                note(reason)
                return queue.noteDropped(batch.count, .collector)
            case .failed(let reason, let stated):
                if !Task.isCancelled { note(reason) }
                guard attempt < Self.triesMax else { break }
                let time = stated ?? pauseTime * Double.random(in: 0.5...1)
                // They are sent once more when the process stops.
                do { try await pause(for: min(time, Self.pauseMax)) } catch { return queue.putBack(batch) }
                pauseTime *= 2
            }
        }
        queue.noteDropped(batch.count, .collector)
    }

    /// Sends what waits, each part once.
    private func flush() async {
        let end = ContinuousClock.now + Self.flushTime
        while let batch = queue.takeBatch() {
            let rest = end - .now
            if rest > .zero, case .accepted = await post(batch, within: rest) {
                queue.noteExported(batch.count)
            } else {
                queue.noteDropped(batch.count, .collector)
            }
        }
    }

    private func post(_ batch: [FinishedSpan], within limit: Duration) async -> Outcome {
        do {
            // Writing them takes milliseconds, in which an event loop would serve no request.
            let body = try await NIOThreadPool.singleton.runIfActive {
                try SpanDocument(batch, resource: collector.resource).json()
            }
            var headers: HTTPHeaders = ["Content-Type": "application/json"]
            for (name, value) in collector.headers.value { headers.replaceOrAdd(name: name, value: value) }
            let request = try HTTPClient.Request(
                url: collector.url, method: .POST, headers: headers, body: .bytes(body), tlsConfiguration: tls)
            let task = client.execute(
                request: request, delegate: BoundedResponse(request, bytesMax: Self.answerBytesMax),
                deadline: .now() + TimeAmount(limit))
            let response = try await withTaskCancellationHandler {
                try await task.get()
            } onCancel: {
                task.cancel()
            }
            return Self.outcome(of: response)
        } catch {
            return .failed(ConnectionFailure(of: error, hasBegun: true).rawValue)
        }
    }

    /// Only these statuses allow another try (OTLP specification, "Retryable Response Codes").
    private static func outcome(of response: HTTPClient.Response) -> Outcome {
        switch response.status.code {
        case 200..<300: return .accepted
        case 429, 502, 503, 504:
            let seconds = response.headers.first(name: "Retry-After").flatMap(UInt16.init)
            return .failed("status \(response.status.code)", after: seconds.map { .seconds($0) })
        default: return .refused("status \(response.status.code)")
        }
    }

    private func note(_ reason: String) {
        guard limit.allows(reason) else { return }
        logger.warning("trace.export_failed", metadata: ["cause": "\(reason)"])
    }
}

extension ProcessPlan {
    /// Builds a process, and exports its spans if the settings name a collector.
    package static func exportingSpans(
        _ context: ProcessContext, _ build: (ProcessContext) async throws -> ProcessPlan
    ) async throws -> ProcessPlan {
        guard let collector = try SpanCollector(context.settings) else { return try await build(context) }
        let tls = try context.settings.ownAuthorities()?.tls
        let queue = SpanQueue()
        InstrumentationSystem.bootstrap(SpanTracer(queue))
        CurrentTrace.beginExport()
        var plan = try await build(context)
        // The first part stops last.
        plan.services.insert(
            SpanExporter(
                queue, to: collector, tls: tls, client: makeHTTPClient(connectionsMax: 1), logger: context.logger),
            at: 0)
        return plan
    }
}
