package import CoreMetrics
import Synchronization

/// The back end of swift-metrics: stores every series of this process and writes them as Prometheus text.
package final class MetricsRegistry: MetricsFactory, Sendable {
    /// The maximal number of series of one process. Further ones are counted under no name, so that they do not fill the
    /// memory.
    static let seriesCountMax = 10_000

    private struct State: Sendable {
        var counters: [SeriesName: CounterSeries] = [:]
        var gauges: [SeriesName: GaugeSeries] = [:]
        var histograms: [SeriesName: HistogramSeries] = [:]
        var count: Int { counters.count + gauges.count + histograms.count }
    }

    private let state = Mutex(State())

    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(SeriesName(label, dimensions))
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        gauge(SeriesName(label, dimensions))
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(SeriesName(label, dimensions))
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        aggregate ? histogram(SeriesName(label, dimensions)) : gauge(SeriesName(label, dimensions))
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(SeriesName(label, dimensions))
    }

    // Series that count stay until the process exits, since their values must not start from zero again.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Removes a gauge, because the thing that it shows no longer exists.
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }

    /// Removes a gauge, because the thing that it shows no longer exists; a histogram counts, and stays.
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

    private func remove(_ gauge: AnyObject) {
        state.withLock { state in
            guard let name = state.gauges.first(where: { $0.value === gauge })?.key else { return }
            state.gauges[name] = nil
        }
    }

    /// Returns all series in the Prometheus text format 0.0.4.
    package func prometheusText() -> String {
        let snapshot = state.withLock { $0 }
        var text = PrometheusText()
        text.add(kind: "counter", snapshot.counters) { series, name, text in text.sample(name, series.value) }
        text.add(kind: "gauge", snapshot.gauges) { series, name, text in text.sample(name, series.value) }
        text.add(kind: "histogram", snapshot.histograms) { series, name, text in text.histogram(name, series.snapshot) }
        return text.text
    }

    /// Returns the values of all counters and gauges of the metrics.
    package func values(of metrics: Set<String>) -> [SeriesValue] {
        let snapshot = state.withLock { $0 }
        let counters = snapshot.counters.map { ($0.key, $0.value.value) }
        let gauges = snapshot.gauges.map { ($0.key, $0.value.value) }
        return (counters + gauges).filter { metrics.contains($0.0.metric) }.map { name, value in
            SeriesValue(metric: name.metric, labels: name.byName, value: value)
        }
    }

    private func counter(_ name: SeriesName) -> CounterSeries {
        state.withLock { state in
            if let series = state.counters[name] { return series }
            let series = CounterSeries()
            if state.count < Self.seriesCountMax { state.counters[name] = series }
            return series
        }
    }

    private func gauge(_ name: SeriesName) -> GaugeSeries {
        state.withLock { state in
            if let series = state.gauges[name] { return series }
            let series = GaugeSeries()
            if state.count < Self.seriesCountMax { state.gauges[name] = series }
            return series
        }
    }

    private func histogram(_ name: SeriesName) -> HistogramSeries {
        state.withLock { state in
            if let series = state.histograms[name] { return series }
            let series = HistogramSeries()
            if state.count < Self.seriesCountMax { state.histograms[name] = series }
            return series
        }
    }
}

/// The value of a series at one moment.
package struct SeriesValue: Sendable, Equatable {
    package let metric: String
    package let labels: [String: String]
    package let value: Double

    /// The value of a counter.
    package var count: Int64 { Int64(exactly: value.rounded()) ?? 0 }
}

/// A metric's name with its labels in rising order.
struct SeriesName: Hashable, Sendable {
    let metric: String
    /// The labels as they are between the braces, escaped.
    let labels: String

    init(_ metric: String, _ dimensions: [(String, String)]) {
        self.metric = metric
        let isSorted = zip(dimensions, dimensions.dropFirst()).allSatisfy { $0.0 < $1.0 }
        var labels: [UInt8] = []
        labels.reserveCapacity(128)
        for (name, value) in isSorted ? dimensions : dimensions.sorted(by: { $0.0 < $1.0 }) {
            if !labels.isEmpty { labels.append(UInt8(ascii: ",")) }
            labels.append(contentsOf: name.utf8)
            labels.append(contentsOf: "=\"".utf8)
            Self.append(escaped: value, to: &labels)
            labels.append(UInt8(ascii: "\""))
        }
        self.labels = String(decoding: labels, as: UTF8.self)
    }

    /// The values of the labels by name; those with quotes in them are not read.
    var byName: [String: String] {
        let parts = labels.split(separator: "\"", omittingEmptySubsequences: false)
        let pairs = stride(from: 0, to: parts.count - 1, by: 2).map { index in
            (parts[index].filter { $0 != "," && $0 != "=" }, String(parts[index + 1]))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func append(escaped value: String, to labels: inout [UInt8]) {
        for byte in Array(value.utf8) {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""): labels += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): labels += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            default: labels.append(byte)
            }
        }
    }
}
