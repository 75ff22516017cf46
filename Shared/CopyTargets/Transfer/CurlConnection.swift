import CCurl
import Curl
import Glibc

/// A libcurl handle, which keeps its connection to the server between requests. Only one thread may use it at a time.
@safe final class CurlConnection {
    let watch: TransferWatch
    private let curl: CurlLibrary
    private let handle: UnsafeMutableRawPointer

    /// Seconds for which an idle connection is reused.
    private static let idleSecondsMax = 30
    private static let connectMillisecondsMax = 10_000
    private static let receiveBufferBytes = 64 << 10

    init?(_ curl: CurlLibrary, limits: TransferPace.Limits) {
        guard let handle = unsafe curl.easyInit() else { return nil }
        self.curl = curl
        watch = TransferWatch(limits)
        unsafe self.handle = handle
    }

    deinit { unsafe curl.cleanup(handle) }

    /// Performs a request, and blocks the thread meanwhile.
    func perform(_ request: CurlRequest, _ configure: (CurlOptions) -> Void) -> CurlOutcome {
        let exchange = CurlExchange(request.action, watch: watch)
        defer { if exchange.file >= 0 { close(exchange.file) } }
        guard exchange.open(request.action) else {
            return CurlOutcome(result: CURLE_READ_ERROR, localProblem: exchange.localProblem)
        }
        var outcome = CurlOutcome(result: CURLE_OK)
        (outcome.result, outcome.words) = run(request, exchange, configure)
        outcome.stop = watch.end()
        outcome.status = status
        outcome.size = Int(unsafe curl_get_offset(curl.getInfo, handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
        (outcome.body, outcome.lines, outcome.localProblem) = (exchange.body, exchange.lines, exchange.localProblem)
        // Resets the options, whose pointers end here, and keeps the connection.
        unsafe curl.reset(handle)
        return outcome
    }

    private var status: Int { unsafe curl_get_long(curl.getInfo, handle, CURLINFO_RESPONSE_CODE) }

    private func run(
        _ request: CurlRequest, _ exchange: CurlExchange, _ configure: (CurlOptions) -> Void
    ) -> (CURLcode, String) {
        let headers = unsafe list(request.headers)
        let commands = unsafe list(request.commands)
        var words = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        defer {
            unsafe curl.freeList(headers)
            unsafe curl.freeList(commands)
        }
        let result = withExtendedLifetime(exchange) {
            unsafe words.withUnsafeMutableBufferPointer { words in
                let options = unsafe CurlOptions(curl: curl, handle: handle)
                unsafe options.note(curl_set_bytes_at(curl.setOption, handle, CURLOPT_ERRORBUFFER, words.baseAddress))
                describe(request, options)
                if unsafe headers != nil { unsafe options.set(CURLOPT_HTTPHEADER, headers) }
                if unsafe commands != nil { unsafe options.set(CURLOPT_QUOTE, commands) }
                configure(options)
                exchange.status = { [unowned self] in status }
                options.connect(exchange)
                return options.areSet ? unsafe curl.perform(handle) : CURLE_UNKNOWN_OPTION
            }
        }
        return (result, String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    private func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        unsafe lines.reduce(nil) { list, line in unsafe line.withCString { unsafe curl.append(list, $0) } }
    }

    private func describe(_ request: CurlRequest, _ options: CurlOptions) {
        options.set(CURLOPT_URL, request.url)
        options.set(CURLOPT_NOSIGNAL, 1)
        // No proxy from the environment may be between us and the server whose name or key is checked.
        options.set(CURLOPT_PROXY, "")
        options.set(CURLOPT_FOLLOWLOCATION, 0)
        options.set(CURLOPT_CONNECTTIMEOUT_MS, Self.connectMillisecondsMax)
        options.set(CURLOPT_MAXAGE_CONN, Self.idleSecondsMax)
        options.set(CURLOPT_BUFFERSIZE, Self.receiveBufferBytes)
        switch request.action {
        case .read, .download: break
        case .size: options.set(CURLOPT_NOBODY, 1)
        case .delete: options.set(CURLOPT_CUSTOMREQUEST, "DELETE")
        case .upload(_, let bytes):
            options.set(CURLOPT_UPLOAD, 1)
            unsafe options.note(
                curl_set_offset(curl.setOption, handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(bytes)))
        }
    }
}

extension CurlOptions {
    /// Makes libcurl call `exchange`, which must outlive the request, and its watch, which must outlive the handle.
    fileprivate func connect(_ exchange: CurlExchange) {
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        let watch = unsafe Unmanaged.passUnretained(exchange.watch).toOpaque()
        note(
            unsafe curl_set_reader(
                curl.setOption, handle,
                { buffer, size, count, context in
                    let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
                    return unsafe CurlOptions.object(context, CurlExchange.self)?.read(into: room)
                        ?? Int(CURL_READFUNC_ABORT)
                }, context))
        note(
            unsafe curl_set_writer(
                curl.setOption, handle,
                { bytes, size, count, context in
                    let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                    return unsafe CurlOptions.object(context, CurlExchange.self)?.write(part) ?? false ? part.count : -1
                },
                { bytes, size, count, context in
                    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                    return unsafe CurlOptions.object(context, CurlExchange.self)?.note(line) ?? false ? line.count : -1
                }, context))
        note(
            unsafe curl_set_progress(
                curl.setOption, handle,
                { context, _, _, _, _ in
                    unsafe CurlOptions.object(context, TransferWatch.self)?.goesOn ?? false ? 0 : 1
                }, watch))
        note(
            unsafe curl_set_sockets(
                curl.setOption, handle,
                { context, socket, _ in
                    unsafe CurlOptions.object(context, TransferWatch.self)?.opened(socket)
                    return CURL_SOCKOPT_OK
                },
                { context, socket in
                    unsafe CurlOptions.object(context, TransferWatch.self)?.close(socket) ?? Glibc.close(socket)
                }, watch))
    }

    private static func object<Object: AnyObject>(_ context: UnsafeMutableRawPointer?, _: Object.Type) -> Object? {
        unsafe context.map { unsafe Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }
}
