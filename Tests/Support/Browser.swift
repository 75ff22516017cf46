package import Foundation
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A page in headless Chromium, driven over its debugging pipe: JSON messages that end with a zero byte, the ones to it
/// on descriptor 3, the ones from it on 4 (Chrome DevTools Protocol).
package final class Browser {
    /// Whether there is a browser; `deploy/test` installs it.
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
    private static let path = "/usr/bin/chromium"

    private let input: StandardInputWriter
    private var output: SubprocessOutputSequence.AsyncIterator
    private var unread: [UInt8] = []
    private var lastID = 0
    private var session: String?

    /// An error of the browser or of a script in the page.
    package struct Failure: Error, CustomStringConvertible { package let description: String }

    private init(input: StandardInputWriter, output: SubprocessOutputSequence) {
        self.input = input
        self.output = output.makeAsyncIterator()
    }

    /// Runs `body` with an empty page of so many pixels, and ends the browser on every way out.
    package static func run<Value: Sendable>(
        width: Int, height: Int, _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        let profile =
            FileManager.default.temporaryDirectory.path(percentEncoded: false) + "browser-\(UUID().uuidString)"
        defer { removeFolder(profile) }
        let options =
            "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --hide-scrollbars "
            + "--force-device-scale-factor=1 --lang=en-GB --user-data-dir=\(profile) --window-size=\(width),\(height)"
        let script = "exec \(path) \(options) --remote-debugging-pipe about:blank 3<&0 4>&1 >/dev/null 2>&1 </dev/null"
        let result = try await Subprocess.run(
            .path("/bin/bash"), arguments: ["-c", script], environment: .inherit.updating(["TZ": "UTC"]),
            input: .inputWriter, output: .sequence, error: .discarded
        ) { execution in
            let browser = Browser(input: execution.standardInputWriter, output: execution.standardOutput)
            do {
                try await browser.attach()
                let value = try await body(browser)
                try await browser.send("Browser.close", inPage: false)
                return value
            } catch {
                try execution.send(signal: .kill)
                throw error
            }
        }
        return result.closureResult
    }

    private static func removeFolder(_ path: String) {
        // Chromium may still be writing there; a folder that is left over is the system's to clean.
        do { try FileManager.default.removeItem(atPath: path) } catch {}
    }

    private func attach() async throws {
        let target = try await send("Target.createTarget", ["url": "about:blank"], inPage: false)
        let attached = try await send(
            "Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true], inPage: false)
        session = attached["sessionId"] as? String
        try await send("Emulation.setFocusEmulationEnabled", ["enabled": true])
    }

    /// Opens the page and lets it read and write the clipboard.
    package func open(_ url: String) async throws {
        let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"]
        try await send("Browser.grantPermissions", ["permissions": permissions], inPage: false)
        try await send("Page.navigate", ["url": url])
    }

    /// Shows all pages from now on in a window of a phone's size, in light or dark colors.
    package func becomePhone(width: Int, height: Int, isDark: Bool) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": true])
        let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        try await send("Emulation.setEmulatedMedia", ["features": [scheme]])
    }

    /// Shows all pages from now on as a phone does whose user speaks a language and whose browser runs no scripts.
    package func becomePhone(width: Int, height: Int, language: String) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": true])
        try await send("Emulation.setScriptExecutionDisabled", ["value": true])
        try await send("Network.enable")
        try await send("Network.setExtraHTTPHeaders", ["headers": ["Accept-Language": language]])
    }

    /// Returns the value of the expression, with promises awaited, as if a person had just clicked.
    @discardableResult
    package func evaluate(_ expression: String) async throws -> Any? {
        let answer = try await send(
            "Runtime.evaluate",
            ["expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true])
        if let problem = answer["exceptionDetails"] { throw Failure(description: "\(expression): \(problem)") }
        return (answer["result"] as? [String: Any])?["value"]
    }

    /// Clicks in the middle of the element, as a mouse does.
    package func click(_ selector: String) async throws {
        let box = try await evaluate(
            "(() => { const box = document.querySelector('\(selector)').getBoundingClientRect();"
                + "return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        guard let place = box as? [Double], place.count == 2 else { throw Failure(description: "no \(selector)") }
        for type in ["mousePressed", "mouseReleased"] {
            let click: [String: Any] = ["type": type, "x": place[0], "y": place[1], "button": "left", "clickCount": 1]
            try await send("Input.dispatchMouseEvent", click)
        }
    }

    /// The addresses of all open tabs, that of the page among them.
    package func tabs() async throws -> [String] {
        let targets = try await send("Target.getTargets", inPage: false)["targetInfos"] as? [[String: Any]] ?? []
        return targets.filter { $0["type"] as? String == "page" }.compactMap { $0["url"] as? String }
    }

    /// A picture of the page (PNG).
    package func screenshot() async throws -> Data {
        let answer = try await send("Page.captureScreenshot", ["format": "png"])
        guard let text = answer["data"] as? String, let picture = Data(base64Encoded: text) else {
            throw Failure(description: "no picture")
        }
        return picture
    }

    @discardableResult
    private func send(
        _ method: String, _ parameters: [String: Any] = [:], inPage: Bool = true
    ) async throws -> [String: Any] {
        lastID += 1
        var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
        if inPage, let session { message["sessionId"] = session }
        _ = try await input.write(Array(try JSONSerialization.data(withJSONObject: message)) + [0])
        while true {
            let reply = try await next()
            // Events have no id.
            guard reply["id"] as? Int == lastID else { continue }
            if let error = reply["error"] { throw Failure(description: "\(method): \(error)") }
            return reply["result"] as? [String: Any] ?? [:]
        }
    }

    private func next() async throws -> [String: Any] {
        while true {
            if let end = unread.firstIndex(of: 0) {
                let message = Data(unread[..<end])
                unread.removeSubrange(...end)
                return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
            }
            guard let buffer = try await output.next() else { throw Failure(description: "the browser has ended") }
            unread += unsafe buffer.withUnsafeBytes { unsafe Array($0) }
        }
    }
}
