public import Foundation
import Synchronization
import Testing

/// A headless Chromium of a test's own, steered over its pipe: nothing listens on a port. It ends with the
/// object.
public final class Browser {
  /// Why tests in a browser cannot run here; nil where they can.
  public static let missing: String? =
    program == nil ? "Chromium is missing: install the package 'chromium'" : nil

  private static let program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private let scratch: Scratch
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private var received = Data()
  private var number = 0
  private var session: String?

  /// What the page has said that is an error: exceptions, what its console and the browser's log have.
  public private(set) var errors: [String] = []
  /// What the page has asked for over and above itself.
  public private(set) var requests: [String] = []

  /// Starts one.
  /// - Throws: where there is none, or it does not answer.
  public init() throws {
    scratch = try Scratch()
    let program = try #require(Self.program, "Chromium is missing")
    // It reads commands from descriptor 3 and writes answers to 4.
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", program, "--headless", "--no-sandbox",
      "--hide-scrollbars", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking",
      "--remote-debugging-pipe", "--user-data-dir=\(scratch.path)", "about:blank",
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let target = try #require(send("Target.createTarget", ["url": "about:blank"])["targetId"])
    session =
      try send("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
    for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] { try send("\(domain).enable") }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Opens a file as wide as a screen; gives how long it took until it was all there, in seconds.
  @discardableResult
  public func open(_ path: String, width: Int = 1400, height: Int = 900, dark: Bool = false) throws -> Double
  {
    try send(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    let scheme = ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]
    try send("Emulation.setEmulatedMedia", ["features": [scheme]])
    (errors, requests) = ([], [])
    // The same page may be here already.
    try evaluate("window.isLeft = true")
    let start = Date.now
    let page = URL(filePath: path).absoluteString
    try send("Page.navigate", ["url": page])
    let state = "window.isLeft ?? document.readyState + ' ' + location.href"
    while try evaluate(state) as? String != "complete \(page)" {
      try #require(Date.now < start.addingTimeInterval(180), "the page does not open")
      usleep(5_000)
    }
    requests.removeAll { $0 == page }
    return Date.now.timeIntervalSince(start)
  }

  /// Lays the page out as it is printed on a sheet of some width, in CSS pixels.
  public func print(width: Int) throws {
    try send(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false])
    try send("Emulation.setEmulatedMedia", ["media": "print"])
    try evaluate("dispatchEvent(new Event('beforeprint'))")
  }

  /// The value of an expression of JavaScript.
  /// - Throws: where it throws.
  @discardableResult
  public func evaluate(_ script: String) throws -> Any? {
    let answer = try send(
      "Runtime.evaluate", ["expression": script, "returnByValue": true, "awaitPromise": true])
    if let details = answer["exceptionDetails"] { throw BrowserError(text: "\(details)") }
    return (answer["result"] as? [String: Any])?["value"]
  }

  /// Presses a key, such as `Tab` or `Enter`.
  public func press(_ key: String) throws {
    let codes = ["Tab": 9, "Enter": 13, "Escape": 27, " ": 32]
    var event: [String: Any] = ["key": key, "code": key, "windowsVirtualKeyCode": codes[key] ?? 0]
    if key == "Enter" { event["text"] = "\r" }
    try send("Input.dispatchKeyEvent", event.merging(["type": "keyDown"]) { $1 })
    try send("Input.dispatchKeyEvent", event.merging(["type": "keyUp"]) { $1 })
  }

  /// Types text into what has the focus.
  public func type(_ text: String) throws { try send("Input.insertText", ["text": text]) }

  /// What readers of the screen get: role and name of each node that is not passed over.
  public func accessibleNodes() throws -> [(role: String, name: String)] {
    let nodes = try send("Accessibility.getFullAXTree")["nodes"] as? [[String: Any]] ?? []
    let text = { (value: Any?) in (value as? [String: Any])?["value"] as? String ?? "" }
    return nodes.filter { $0["ignored"] as? Bool != true }.map { (text($0["role"]), text($0["name"])) }
  }

  /// A picture of the whole page, as PNG.
  public func picture() throws -> Data {
    let answer = try send("Page.captureScreenshot", ["captureBeyondViewport": true, "format": "png"])
    return try #require((answer["data"] as? String).flatMap { Data(base64Encoded: $0) })
  }

  @discardableResult
  private func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    number += 1
    var message: [String: Any] = ["id": number, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    input.fileHandleForWriting.write(try JSONSerialization.data(withJSONObject: message) + [0])
    while true {
      let answer = try next()
      guard answer["id"] as? Int == number else {
        note(answer)
        continue
      }
      if let error = answer["error"] { throw BrowserError(text: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  /// The next message, which a zero byte ends.
  private func next() throws -> [String: Any] {
    // A picture or a tree comes in hundreds of pieces: each is looked at once.
    var searched = received.startIndex
    while true {
      if let end = received[searched...].firstIndex(of: 0) {
        defer { received = Data(received[(end + 1)...]) }
        return try #require(JSONSerialization.jsonObject(with: received[..<end]) as? [String: Any])
      }
      searched = received.endIndex
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw BrowserError(text: "the browser has ended") }
      received += more
    }
  }

  private func note(_ event: [String: Any]) {
    let details = event["params"] as? [String: Any] ?? [:]
    switch event["method"] as? String {
    case "Runtime.exceptionThrown": errors.append("\(details["exceptionDetails"] ?? "")")
    case "Runtime.consoleAPICalled" where details["type"] as? String == "error": errors.append("\(details)")
    case "Log.entryAdded": errors.append("\(details["entry"] ?? "")")
    case "Network.requestWillBeSent":
      requests.append((details["request"] as? [String: Any])?["url"] as? String ?? "?")
    default: break
    }
  }
}

/// What the browser did not do.
public struct BrowserError: Error {
  let text: String
}
