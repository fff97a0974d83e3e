import Foundation
public import Testing

extension Program.Outcome {
  /// Itself, of a run that must have ended well, with words on standard error and on standard output: the test
  /// ends here where it has not.
  @discardableResult
  public func succeeded(
    saying words: String..., showing shown: String..., at place: SourceLocation = #_sourceLocation
  ) throws -> Self {
    try #require(status == 0, "\(errors)\(output)", sourceLocation: place)
    for word in words { #expect(errors.contains(word), "'\(word)': \(errors)", sourceLocation: place) }
    for word in shown { #expect(output.contains(word), "'\(word)': \(output)", sourceLocation: place) }
    return self
  }

  /// Itself, of a run that must have ended with a code and have said why.
  @discardableResult
  public func failed(
    _ code: Int32, saying words: String..., at place: SourceLocation = #_sourceLocation
  ) -> Self {
    #expect(status == code, "\(errors)\(output)", sourceLocation: place)
    for word in words { #expect(errors.contains(word), "'\(word)': \(errors)", sourceLocation: place) }
    return self
  }

  /// Itself, of a run that has said nothing of some words.
  @discardableResult
  public func withholding(_ words: String..., at place: SourceLocation = #_sourceLocation) -> Self {
    for word in words {
      #expect(!(output + errors).contains(word), "'\(word)': \(output)\(errors)", sourceLocation: place)
    }
    return self
  }

  /// What is at places of the document that it wrote, with a blank between them: `error/code`, of a list
  /// `runs/0/state`, `sources/*/source` for that of each, and `gates/rule=row-counts/found` for that of the
  /// element that has such a member.
  ///
  /// Values are as JSON has them, objects in the order of their names; but a text is without its quotes where it
  /// cannot be mistaken for something else. What is not there is `(nothing)`.
  public func at(_ paths: String...) throws -> String {
    let document = try json()
    return try paths.flatMap { path in
      var found: [Any?] = [document]
      for step in path.split(separator: "/") {
        found = found.flatMap { Self.parts(String(step), of: $0) }
      }
      return try found.map(Self.text)
    }.joined(separator: " ")
  }

  private static func parts(_ step: String, of value: Any?) -> [Any?] {
    guard let list = value as? [Any] else { return [(value as? [String: Any])?[step]] }
    if step == "*" { return list }
    if let place = Int(step) { return [list.indices.contains(place) ? list[place] : nil] }
    let member = step.split(separator: "=").map(String.init)
    return list.filter { ($0 as? [String: Any])?[member[0]] as? String == member.last }
  }

  private static func text(_ value: Any?) throws -> String {
    guard let value else { return "(nothing)" }
    let options = JSONSerialization.ReadingOptions.fragmentsAllowed
    if let text = value as? String,
      (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: options)) == nil
    {
      return text
    }
    return String(
      decoding: try JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]),
      as: UTF8.self)
  }
}
