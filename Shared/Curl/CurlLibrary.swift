package import CCurl
import Glibc

/// Debian's libcurl, loaded on demand, since only otp-service, which sends mail by SMTP, and the copier use it.
///
/// Its functions may be called by any thread.
@safe package struct CurlLibrary: @unchecked Sendable {
    /// Why the library cannot be used.
    package struct Missing: Error {}

    package let easyInit: @convention(c) () -> UnsafeMutableRawPointer?
    package let reset: @convention(c) (UnsafeMutableRawPointer?) -> Void
    package let perform: @convention(c) (UnsafeMutableRawPointer?) -> CURLcode
    package let cleanup: @convention(c) (UnsafeMutableRawPointer?) -> Void
    /// `curl_easy_setopt`, whose arguments vary.
    package let setOption: curl_setopt_function
    /// `curl_easy_getinfo`, whose arguments vary.
    package let getInfo: curl_getinfo_function
    package let append:
        @convention(c) (UnsafeMutablePointer<curl_slist>?, UnsafePointer<CChar>?)
            -> UnsafeMutablePointer<curl_slist>?
    package let freeList: @convention(c) (UnsafeMutablePointer<curl_slist>?) -> Void

    /// Loads the library for as long as the process runs. Must not run on several threads at once.
    package init() throws(Missing) {
        guard let library = unsafe dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL) else { throw Missing() }
        func symbol<Function>(_ name: String, as type: Function.Type) throws(Missing) -> Function {
            guard let address = unsafe dlsym(library, name) else { throw Missing() }
            return unsafe unsafeBitCast(address, to: type)
        }
        let globalInit = try symbol("curl_global_init", as: (@convention(c) (Int) -> CURLcode).self)
        unsafe easyInit = try symbol("curl_easy_init", as: (@convention(c) () -> UnsafeMutableRawPointer?).self)
        unsafe reset = try symbol("curl_easy_reset", as: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
        unsafe perform = try symbol(
            "curl_easy_perform", as: (@convention(c) (UnsafeMutableRawPointer?) -> CURLcode).self)
        unsafe cleanup = try symbol("curl_easy_cleanup", as: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
        unsafe setOption = try symbol("curl_easy_setopt", as: curl_setopt_function.self)
        unsafe getInfo = try symbol("curl_easy_getinfo", as: curl_getinfo_function.self)
        unsafe append = try symbol(
            "curl_slist_append",
            as: (@convention(c) (UnsafeMutablePointer<curl_slist>?, UnsafePointer<CChar>?)
                -> UnsafeMutablePointer<curl_slist>?).self)
        unsafe freeList = try symbol(
            "curl_slist_free_all", as: (@convention(c) (UnsafeMutablePointer<curl_slist>?) -> Void).self)
        guard globalInit(Int(CURL_GLOBAL_ALL)) == CURLE_OK else { throw Missing() }
    }
}
