import Host

/// Who gets a mail of what went wrong, and the program that sends it.
public struct MailRule: Sendable, Hashable {
  /// The addresses.
  public var to: [String]
  /// The sender's address.
  public var from: String
  /// The program, which takes a message as sendmail does. One that is named with a slash is looked for from the
  /// project's folder.
  public var via: String

  /// Where Debian's mail servers have it.
  public static let usualProgram = "/usr/sbin/sendmail"
}

extension MailRule {
  /// `project`: the project's folder.
  init?(_ node: YAMLNode, project: String, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "mail", keys: ["to", "from", "via"], in: file) else { return nil }
    fields.need("to")
    let (to, from) = (fields.texts("to"), fields.needText("from"))
    for address in (to ?? []) + [from].compactMap(\.self) where !Self.isAddress(address.value) {
      file.report(
        "'\(address.value)' is no mail address", at: address.mark, hint: "write it bare: data@example.org")
    }
    guard let to, let from else { return nil }
    self.to = to.map(\.value)
    self.from = from.value
    let program = fields.text("via")?.value ?? Self.usualProgram
    via = program.contains("/") ? Path.join(project, program) : program
  }

  /// Whether a text is one address that the head of a message can hold as it is.
  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.hasPrefix("-")
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } && !text.contains { ",;:<>()[]\"\\".contains($0) }
  }
}
