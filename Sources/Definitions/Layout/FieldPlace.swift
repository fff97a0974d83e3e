public import Values

/// Where a column's field is in each format.
public struct FieldPlace: Sendable, Hashable {
  /// What a header calls the column: the layout's own wording first, then its aliases.
  public var headers: [HeaderText]
  /// The characters of a fixed-width record, a byte each as it is published, from 1, both ends included; nil
  /// when unknown.
  public var bytes: ClosedRange<Int>?
  /// How many digits of a fixed-width number are after a point that is not written.
  public var impliedDecimals = 0
  /// The paths to the field in a tree-shaped record, of a child table from what repeats on; the first that
  /// leads to a text counts. Empty where there are none.
  public var paths: [TreePath] = []
  /// What is between the texts where a path leads to several; nil takes the first.
  public var joining: String?
  /// Marks such as `/`: of a text from around the record only what is behind the last of them counts; nil takes
  /// all of it.
  public var after: String?
}

extension FieldPlace {
  /// Reads the keys of a column that say where it is, beside those of its headers.
  init(_ headers: [HeaderText], _ fields: Fields, slot: RepeatSlot?, in file: DefinitionFile) {
    self.init(
      headers: headers, bytes: Self.bytes(fields, slot: slot, in: file),
      impliedDecimals: fields.count("implied") ?? 0,
      paths: (fields.texts("json") ?? []).compactMap { TreePath($0, in: file) },
      joining: fields.text("join")?.value)
    after = fields.text("after")?.value
    if after != nil, !paths.contains(where: \.isAround) {
      file.report(
        "'after' is about a text around the record: the column needs a path with '..'",
        at: fields.mark(of: "after"))
    }
    if fields.has("join"), !fields.has("json") {
      file.report(
        "texts are joined where a path leads to several: the column needs the key 'json'",
        at: fields.mark(of: "join"))
    }
  }

  /// A point can only be left out of a decimal that has one, at a place where nothing else says it.
  static func reportImplied(_ fields: Fields, of type: ValueType?, in file: DefinitionFile) {
    guard fields.has("implied") else { return }
    let mark = fields.mark(of: "implied")
    if !fields.has("at") {
      file.report("implied decimals are those of a txt: the column needs the key 'at'", at: mark)
    }
    guard let type else { return }
    guard case .decimal(_, let scale) = type else {
      file.report("implied decimals are for decimals; the column's type is \(type)", at: mark)
      return
    }
    if let text = fields.text("implied"), let decimals = Int(text.value), decimals > scale {
      file.report("\(decimals) implied decimals are more than \(type) has", at: mark)
    }
  }

  private static func bytes(_ fields: Fields, slot: RepeatSlot?, in file: DefinitionFile) -> ClosedRange<Int>?
  {
    guard let text = fields.text("at") else { return nil }
    let ends = text.value.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 1, last >= first else {
      file.report(
        "'\(text.value)' is no place in a record", at: text.mark,
        hint: "write the first and the last byte, from 1, such as 60-65")
      return nil
    }
    guard let slot else { return first...last }
    if !fields.has("step") {
      file.report(
        "the column repeats, so that 'at' needs 'step': how many bytes on its next place is", at: text.mark)
    }
    let shift = (slot.number - 1) * (fields.count("step") ?? 0)
    return (first + shift)...(last + shift)
  }
}

extension TreePath {
  /// Reads a path; nil, with a mistake reported, where a text is none.
  init?(_ text: Marked<String>, in file: DefinitionFile) {
    do {
      try self.init(text.value)
    } catch {
      file.report(
        "the path '\(text.value)' \(error)", at: text.mark,
        hint: "write names, such as name.family, identifier[system=urn:x].value or line[0]")
      return nil
    }
  }
}
