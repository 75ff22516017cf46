import Glibc

/// A picture for phones, by Debian's qrencode where it is installed.
enum QRCode {
    /// Prints `url`, which is made of an address and a port of ours.
    static func show(_ url: String) { _ = unsafe system("qrencode -t ANSIUTF8 '\(url)' 2>/dev/null") }
}
