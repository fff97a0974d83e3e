import Foundation
import Glibc
import TestSupport
import Testing

/// Who hears of a night, besides the program under `notify`.
@Suite("Messages of a night")
struct NightlyMessageTests {
  private let night: Night
  private let server: LoopbackServer

  init() throws {
    night = try Night("")
    server = try LoopbackServer { request in .init(request.target.hasPrefix("/broken") ? 500 : 200) }
  }

  private func define(_ rules: String) throws {
    try night.define("watch: [{pipeline: items, folder: incoming}]\n" + rules)
  }

  @Test("are a call of the heartbeat where all is well, and none where not")
  func heartbeat() throws {
    try define("heartbeat: \(server.address)/ping/secret-key?token=hidden")
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.pass("2025A published")
    #expect(server.requests.map(\.method) == ["GET"])
    #expect(server.requests.map(\.target) == ["/ping/secret-key?token=hidden"])
    try night.put("ITEM_25b_.csv", Night.bad("b001"))
    try night.pass("2025B refused", ends: 3, with: "runs 3")
    #expect(server.requests.count == 1)
  }

  @Test("that do not arrive are a warning without the secret, after one more try, and change nothing else")
  func undelivered() throws {
    try define("heartbeat: \(server.address)/broken/secret-key")
    let broken = try night.start().wait().succeeded(saying: "warning: heartbeat: \(server.address): ")
    broken.withholding("secret-key")
    #expect(server.requests.count == 2)
    try define("heartbeat: http://user:secret-key@127.0.0.1:1/secret-key")
    try night.start().wait().succeeded(saying: "warning: heartbeat: http://127.0.0.1:1: ")
      .withholding("secret-key")
  }

  @Test("are the summary, posted as JSON, where something is wrong")
  func post() throws {
    try define("post: \(server.address)/hook")
    try night.pass()
    #expect(server.requests.isEmpty)
    try night.put("ITEM_25a_.csv", Night.bad("a001"))
    let summary = try night.pass("2025A refused", ends: 3, with: "runs 3")
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.fields["content-type"] == "application/json")
    let posted = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    #expect(NSDictionary(dictionary: posted ?? [:]) == NSDictionary(dictionary: summary.document))
    // No value of a record is in it.
    #expect(!String(decoding: request.body, as: UTF8.self).contains("expensive"))
  }

  @Test("are a mail by the local mail server, that a mail program can read, where something is wrong")
  func mail() throws {
    let program = try night.scratch.write(
      "bin/sendmail", "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.arguments\"\ncat > \"$0.message\"\n")
    chmod(program, 0o755)
    try define(
      """
      mail:
        to: [data@example.org, \"o'neill+etl@example.org\"]
        from: rivulet@example.org
        via: bin/sendmail
      """)
    try night.pass()
    #expect(!FileManager.default.fileExists(atPath: night.path("bin/sendmail.message")))
    let name = "ITEM_25a_é=\(String(repeating: "long", count: 30)).csv"
    try night.put(name, Night.bad("a001"))
    try night.pass("2025A refused", ends: 3, with: "runs 3")
    let arguments = try night.text(of: "bin/sendmail.arguments").split(separator: "\n")
    #expect(arguments == ["-i", "-t", "-f", "rivulet@example.org"])
    // As Python's library of mail reads it.
    let parsed = try Shell.run(
      "python3", "-c",
      """
      import email, email.policy, json, sys
      raw = open(sys.argv[1], "rb").read()
      message = email.message_from_bytes(raw, policy=email.policy.default)
      print(json.dumps({
        "to": [str(each) for each in message["To"].addresses], "from": str(message["From"]),
        "subject": message["Subject"], "date": message["Date"].datetime.isoformat(),
        "id": message["Message-ID"], "auto": message["Auto-Submitted"], "text": message.get_content(),
        "type": message.get_content_type(), "defects": [str(each) for each in message.defects],
        "longest": max(len(line) for line in raw.split(b"\\n"))}))
      """, night.path("bin/sendmail.message"))
    let mail = try #require(try JSONSerialization.jsonObject(with: Data(parsed.utf8)) as? [String: Any])
    #expect(mail["to"] as? [String] == ["data@example.org", "o'neill+etl@example.org"], "\(mail)")
    #expect(mail["from"] as? String == "rivulet@example.org")
    #expect(mail["subject"] as? String == "[own] rivulet nightly ended with 3: 1 problem")
    #expect((mail["date"] as? String ?? "").hasSuffix("+00:00"))
    #expect((mail["id"] as? String ?? "").hasSuffix("@example.org>"))
    #expect(mail["auto"] as? String == "auto-generated" && mail["type"] as? String == "text/plain")
    #expect((mail["defects"] as? [String])?.isEmpty == true && mail["longest"] as? Int ?? 999 <= 76)
    let text = try #require(mail["text"] as? String)
    #expect(text.contains(name) && text.contains("runs (3): "), "\(text)")
    #expect(!text.contains("expensive"), "no value of a record is in it")

    // A program that fails is a warning.
    try night.scratch.write("bin/sendmail", "#!/bin/sh\necho no route\nexit 75\n")
    chmod(program, 0o755)
    try night.start().wait().failed(3, saying: "bin/sendmail' ended with 75: no route")
  }
}
