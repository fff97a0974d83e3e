/// SQL quoting, in one place.
public enum Quote {
  /// An identifier in double quotes.
  public static func identifier(_ name: String) -> String {
    "\"" + doubled("\"", in: name) + "\""
  }

  /// A name of one or more parts separated by dots, each part quoted: `cms.rvu` is `"cms"."rvu"`.
  public static func qualified(_ name: String) -> String {
    name.split(separator: ".").map { identifier(String($0)) }.joined(separator: ".")
  }

  /// A string literal; with backslashes it takes the `E''` form, so that no setting changes its meaning.
  public static func literal(_ text: String) -> String {
    let quoted = "'" + doubled("'", in: text) + "'"
    guard text.unicodeScalars.contains("\\") else { return quoted }
    return "E" + doubled("\\", in: quoted)
  }

  private static func doubled(_ mark: Unicode.Scalar, in text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == mark { result.append(mark) }
      result.append(scalar)
    }
    return String(result)
  }
}
