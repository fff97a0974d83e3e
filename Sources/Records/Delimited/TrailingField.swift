/// The last field of the records of a list, where they leave it out with the separator before it if it is blank,
/// so that they are a field short.
///
/// ```
/// Name,City,Suite
/// Ada Exley,Wexley        a field short: its suite is blank
/// Bo Zane,Marlow,12
/// ```
public enum TrailingField {
  /// Whether the first records of a list show that: one in ten at least is a field short, and no other has a last
  /// field that is blank, fewer fields still, or text beyond them. One among many is broken instead.
  ///
  /// A record with text in one field alone is a remark, and tells nothing; so do records of two fields.
  /// - Parameters:
  ///   - records: the fields of records below the header.
  ///   - width: how many fields the header names.
  /// - Returns: whether they leave it out.
  public static func isLeftOut(of records: some Sequence<[String]>, width: Int) -> Bool {
    guard width > 2 else { return false }
    var (short, all) = (0, 0)
    for record in records where record.count(where: holdsText) > 1 {
      all += 1
      guard record.count >= width - 1, !record.dropFirst(width).contains(where: holdsText) else {
        return false
      }
      if record.count == width - 1 {
        short += 1
      } else if !holdsText(record[width - 1]) {
        return false
      }
    }
    return short > 0 && 10 * short >= all
  }

  private static func holdsText(_ field: String) -> Bool { field.utf8.contains { $0 > 0x20 } }
}
