/// SQL quoting, in one place.
public enum Quote {
  /// An identifier in double quotes.
  public static func identifier(_ name: String) -> String {
    "\"" + name.escaping(["\""], with: "\"") + "\""
  }

  /// A name of one or more parts separated by dots, each part quoted: `cms.rvu` is `"cms"."rvu"`.
  public static func qualified(_ name: String) -> String {
    name.split(separator: ".").map { identifier(String($0)) }.joined(separator: ".")
  }

  /// A string literal; with backslashes it takes the `E''` form, so that no setting changes its meaning.
  public static func literal(_ text: String) -> String {
    let quoted = "'" + text.escaping(["'"], with: "'") + "'"
    guard text.unicodeScalars.contains("\\") else { return quoted }
    return "E" + quoted.escaping(["\\"], with: "\\")
  }
}

extension String {
  /// For a value between single quotes in a keyword string of libpq's.
  var keywordEscaped: String { escaping(["\\", "'"], with: "\\") }

  /// The text with a prefix before each of some characters.
  func escaping(_ marks: Set<Unicode.Scalar>, with prefix: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if marks.contains(scalar) { result.append(contentsOf: prefix.unicodeScalars) }
      result.append(scalar)
    }
    return String(result)
  }
}
