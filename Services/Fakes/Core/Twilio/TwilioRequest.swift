import FoundationEssentials
import HTTPTypes
import Hummingbird
import ServiceCalls

/// A form as Twilio receives it, with the authenticated account.
struct TwilioRequest: Sendable {
    private static let bodyBytesMax = 64 * 1024
    private static let fieldCountMax = 64

    let account: String
    let fields: [String: String]

    init(_ request: Request) async throws(TwilioFault) {
        account = try Self.account(request)
        let bytes: [UInt8]
        do { bytes = Array(try await request.body.collect(upTo: Self.bodyBytesMax).readableBytesView) } catch {
            throw TwilioFault(code: 20_001, status: 400, message: "The body is too large")
        }
        guard let pairs = FormText.decode(String(decoding: bytes, as: UTF8.self), countMax: Self.fieldCountMax) else {
            throw TwilioFault(code: 20_001, status: 400, message: "The body is no form")
        }
        fields = Dictionary(pairs) { first, _ in first }
    }

    subscript(name: String) -> String? { fields[name] }

    func required(_ name: String) throws(TwilioFault) -> String {
        guard let value = fields[name], !value.isEmpty else { throw .invalid(name, "is missing") }
        return value
    }

    /// Returns the account of `Authorization: Basic` (RFC 7617). Any token is accepted, since it is a fake.
    private static func account(_ request: Request) throws(TwilioFault) -> String {
        guard let value = request.headers[.authorization], value.hasPrefix("Basic "),
            let data = Data(base64Encoded: String(value.dropFirst(6))),
            let pair = String(validating: data, as: UTF8.self)?.split(separator: ":", maxSplits: 1), pair.count == 2,
            pair[0].hasPrefix("AC") || pair[0].hasPrefix("SK")
        else { throw .unauthorized }
        return String(pair[0])
    }
}

/// The scripted response in place of the provider's own.
extension Script.Step {
    /// Throws the error of the step before the call has an effect.
    func throwFault() throws(TwilioFault) {
        guard body == nil, let status, status >= 400 else { return }
        guard let code else { return }
        throw TwilioFault(
            code: code, status: status, message: name ?? "A scripted error.", headers: headers ?? [:])
    }

    /// The response as the script states it, or `nil` if it states none.
    var rawResponse: Response? {
        guard body != nil || status != nil && code == nil else { return nil }
        var response = Response(
            status: .init(code: status ?? 200), body: .init(byteBuffer: .init(string: body ?? "")))
        for (name, value) in headers ?? [:] { HTTPField.Name(name).map { response.headers[$0] = value } }
        return response
    }
}
