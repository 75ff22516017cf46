import AsyncHTTPClient
import Release
import ServiceKit
import SettingNames

/// The collector to which a process exports its spans, from OpenTelemetry's variables.
struct SpanCollector: Sendable {
    let url: String
    /// Fields of each request, which may contain a key.
    let headers: Secret<[(name: String, value: String)]>
    /// The attributes of the process.
    let resource: [String: String]

    /// Reads the variables; `nil` if no collector is set, or `OTEL_SDK_DISABLED` is `true`.
    init?(_ settings: ProcessSettings) throws(SettingsError) {
        let (base, whole) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
        guard try settings.choice("OTEL_SDK_DISABLED") != Disabled.yes,
            let text = settings.variable(whole) ?? settings.variable(base)
        else { return nil }
        url = settings.variable(whole) ?? Self.endpoint(below: text)
        guard Self.isWeb(url) else {
            // The URL may have a key.
            throw SettingsError(
                settings.variable(whole) == nil ? base : whole,
                "is not the collector's URL for OTLP over HTTP. Use one such as http://127.0.0.1:4318.")
        }
        headers = Secret(try Self.pairs("OTEL_EXPORTER_OTLP_HEADERS", settings))
        var resource = ["service.name": "latchkey-" + settings.name, "service.version": Release.version]
        for (name, value) in try Self.pairs("OTEL_RESOURCE_ATTRIBUTES", settings) { resource[name] = value }
        if let name = settings.variable("OTEL_SERVICE_NAME") { resource["service.name"] = name }
        self.resource = resource
    }

    private enum Disabled: String {
        case yes = "true"
        case no = "false"
    }

    private static func endpoint(below base: String) -> String {
        var base = base
        while base.hasSuffix("/") { base.removeLast() }
        return base + "/v1/traces"
    }

    private static func isWeb(_ url: String) -> Bool {
        guard ["http://", "https://"].contains(where: url.hasPrefix) else { return false }
        do { return try !HTTPClient.Request(url: url).host.isEmpty } catch { return false }
    }

    /// Reads a list such as `a=1,b=2`, whose values may be escaped as in URLs. The refusal shows none of it: it may have a key.
    private static func pairs(
        _ variable: String, _ settings: ProcessSettings
    ) throws(SettingsError) -> [(name: String, value: String)] {
        guard let text = settings.variable(variable) else { return [] }
        // It is decoded as a form, in which `,` separates; `&` and `+` have no meaning in the list.
        let form = text.replacing("&", with: "%26").replacing("+", with: "%2B").replacing(",", with: "&")
        let pairs = FormText.decode(form, countMax: pairsMax)?.map { (name: trimmed($0), value: trimmed($1)) }
        guard let pairs, pairs.allSatisfy({ isName($0.name) && isVisible($0.value) }) else {
            throw SettingsError(
                variable, "is not a list of at most \(pairsMax) pairs. Use name=value, separated by commas.")
        }
        return pairs
    }

    private static let pairsMax = 32

    private static func trimmed(_ text: String) -> String {
        String(text.trimmingPrefix(while: { $0 == " " }).reversed().drop { $0 == " " }.reversed())
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "-._".utf8.contains(byte)
            }
    }

    private static func isVisible(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
}
