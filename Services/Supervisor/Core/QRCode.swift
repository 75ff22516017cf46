import Glibc

/// A picture for phones, by Debian's qrencode if it is installed.
enum QRCode {
    /// Prints `url`, which consists of an address and a port of this stack.
    static func show(_ url: String) { _ = unsafe system("qrencode -t ANSIUTF8 '\(url)' 2>/dev/null") }
}
