import Definitions
import Host

/// The mail of what a night found wrong, for the local mail server: the summary as text.
struct NightlyMail {
  let summary: NightlySummary
  /// The project's name.
  let project: String
  let rule: MailRule

  /// The program that takes the message on its standard input, whom to send it to from the message's head.
  var command: [String] { [rule.via, "-i", "-t", "-f", rule.from] }

  /// The message, RFC 5322, its lines ended as sendmail takes them.
  var message: String {
    let number = summary.problems.count
    let head = [
      "From: \(rule.from)", "To: \(rule.to.joined(separator: ",\n "))",
      "Subject: [\(project)] rivulet nightly ended with \(summary.exitCode): "
        + "\(number) problem\(number == 1 ? "" : "s")",
      "Date: \(Machine.mailTime)", "Message-ID: <\(Self.identifier)@\(domain)>",
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0", "Content-Type: text/plain; charset=UTF-8",
      "Content-Transfer-Encoding: quoted-printable",
    ]
    return head.joined(separator: "\n") + "\n\n" + Self.quotedPrintable(summary.text)
  }

  private var domain: Substring { rule.from.split(separator: "@").last ?? "localhost" }

  private static var identifier: String {
    "rivulet." + String(UInt64.random(in: .min ... .max), radix: 36)
      + String(UInt64.random(in: .min ... .max), radix: 36)
  }

  /// Text in lines of at most 76 characters of ASCII, RFC 2045.
  private static func quotedPrintable(_ text: String) -> String {
    var output = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      var column = 0
      let bytes = Array(line.utf8)
      for (index, byte) in bytes.enumerated() {
        let isBlank = byte == 0x20 || byte == 0x09
        let isPlain = isBlank ? index < bytes.count - 1 : byte > 0x20 && byte < 0x7f && byte != 0x3d
        let digits = String(byte, radix: 16, uppercase: true)
        let piece =
          isPlain ? String(UnicodeScalar(byte)) : "=" + (digits.count == 1 ? "0" : "") + digits
        if column + piece.count > 75 {
          output += "=\n"
          column = 0
        }
        output += piece
        column += piece.count
      }
      output += "\n"
    }
    return output
  }
}
