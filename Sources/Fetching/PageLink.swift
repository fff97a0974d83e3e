/// A link of a web page.
public struct PageLink: Sendable, Hashable {
  /// Where it leads.
  public var address: WebAddress
  /// What a reader sees of it, blanks collapsed.
  public var text: String
  /// The page that the link itself leads to, where that only names the address in a parameter: a licence to
  /// be accepted first.
  public var licence: WebAddress?

  /// A link.
  public init(address: WebAddress, text: String, licence: WebAddress? = nil) {
    self.address = address
    self.text = text
    self.licence = licence
  }
}
