package import CCurl

/// The options of one transfer by libcurl.
@safe package final class CurlOptions {
    package let curl: CurlLibrary
    package let handle: UnsafeMutableRawPointer
    /// Whether the library has accepted all options so far.
    package private(set) var areSet = true

    package init(curl: CurlLibrary, handle: UnsafeMutableRawPointer) {
        self.curl = curl
        unsafe self.handle = handle
    }

    package func set(_ option: CURLoption, _ value: Int) {
        note(unsafe curl_set_long(curl.setOption, handle, option, value))
    }

    /// Sets an option; the library copies the value.
    package func set(_ option: CURLoption, _ value: String) {
        note(unsafe value.withCString { unsafe curl_set_text(curl.setOption, handle, option, $0) })
    }

    /// Sets an option to bytes, which the library copies.
    package func set(_ option: CURLoption, _ bytes: [UInt8]) {
        note(
            unsafe bytes.withUnsafeBytes {
                unsafe curl_set_bytes(curl.setOption, handle, option, $0.baseAddress, $0.count)
            })
    }

    /// Sets an option to a list, which must outlive the transfer.
    package func set(_ option: CURLoption, _ list: UnsafeMutablePointer<curl_slist>?) {
        note(unsafe curl_set_list(curl.setOption, handle, option, list))
    }

    /// Leaves an option without a text.
    package func clear(_ option: CURLoption) {
        note(unsafe curl_set_text(curl.setOption, handle, option, nil))
    }

    /// Takes the library's result of setting an option.
    package func note(_ code: CURLcode) { areSet = areSet && code == CURLE_OK }
}
