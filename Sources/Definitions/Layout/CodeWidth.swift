import Values

/// How many characters a code has, and so whether one that is shorter has lost its leading zeros.
///
/// `width: 5` and `width: [2, 5]` are all the widths there are; `width: 4` with `pad: zeros` is that of digits that
/// a spreadsheet may have made a number of. `width: any` says that nobody has fixed one: nothing can be restored
/// or refused, and codes stay as they are written.
public struct CodeWidth: Sendable, Hashable {
  /// The widths there are; empty where any is right.
  public var widths: [Int]
  /// Whether digits that are too few are filled up with zeros on the left.
  public var padsZeros: Bool

  /// What a value of another width is not, to follow "the value".
  public var explanation: String {
    "is not \(widths.map(String.init).joined(separator: " or ")) characters wide"
  }

  /// A value of fewer digits with the zeros that it has lost; nil where nobody can know that it has.
  public func padded(_ value: [UInt8]) -> [UInt8]? {
    guard padsZeros, let width = widths.first, value.count < width,
      value.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return [UInt8](repeating: UInt8(ascii: "0"), count: width - value.count) + value
  }

  /// Reads the keys `width` and `pad` of a column; nil where it has none, or they are wrong.
  init?(_ fields: Fields, of type: ValueType?, in file: DefinitionFile) {
    let pad = fields.text("pad")
    if let pad, pad.value != "zeros" {
      file.report("unknown way to pad '\(pad.value)'", at: pad.mark, hint: "write zeros")
    }
    guard let texts = fields.texts("width") else {
      if let pad {
        file.report(
          "'pad' needs a width to fill up to", at: pad.mark,
          hint: "write width: 5 beside it, or the type digits(5)")
      }
      return nil
    }
    let mark = fields.mark(of: "width")
    switch type {
    case .code, .line, .unmarked, .text, nil: break
    case .some(let type):
      file.report("a width is for codes; the column's type is \(type)", at: mark)
      return nil
    }
    let isAny = texts.map(\.value) == ["any"]
    let widths = isAny ? [] : texts.compactMap { Int($0.value).flatMap { $0 > 0 ? $0 : nil } }
    guard isAny || !widths.isEmpty && widths.count == texts.count else {
      file.report(
        "a width is a number of characters, or several", at: mark,
        hint: "write 5, or [2, 5], or any where nobody has fixed one")
      return nil
    }
    if let pad, widths.count != 1 {
      file.report(
        "zeros are filled up to one width", at: pad.mark, hint: "leave 'pad' out, or name one width")
    }
    (self.widths, padsZeros) = (widths, pad != nil)
  }
}

extension CodeWidth: CustomStringConvertible {
  /// What is asked of a value, in words.
  public var description: String {
    guard !widths.isEmpty else { return "of any width" }
    let texts = widths.map(String.init).joined(separator: " or ")
    return padsZeros ? "\(texts) wide, lost leading zeros restored" : "\(texts) wide"
  }
}
