/// Why a script cannot be taken apart.
public struct SQLScriptError: Error, Sendable {
  /// Where.
  public let place: SQLPlace
  /// What is wrong.
  public let message: String
  /// How to fix it.
  public let hint: String
}

extension SQLScriptError {
  static func unclosed(_ token: SQLToken) -> SQLScriptError {
    let what = token.kind == .comment ? "comment" : "quote"
    return SQLScriptError(
      place: token.place, message: "a \(what) begins here that does not end", hint: "close the \(what)")
  }

  static func rowsWithoutEnd(_ place: SQLPlace) -> SQLScriptError {
    SQLScriptError(
      place: place, message: "the rows after COPY ... FROM stdin do not end",
      hint: "end them with a line that holds \\. and nothing else")
  }

  static func besideRows(_ place: SQLPlace) -> SQLScriptError {
    SQLScriptError(
      place: place, message: "COPY ... FROM stdin is not the last on its line",
      hint: "its rows begin on the next line; put what follows here behind the \\. that ends them")
  }

  static func nul(_ place: SQLPlace) -> SQLScriptError {
    SQLScriptError(
      place: place, message: "the character NUL is here, which PostgreSQL's text cannot hold",
      hint: "take it out, or save the file as UTF-8 if it is UTF-16")
  }

  static func escapesInPlainStrings(_ place: SQLPlace) -> SQLScriptError {
    SQLScriptError(
      place: place, message: "standard_conforming_strings must stay on: strings would end elsewhere",
      hint: "write strings with escapes as E'...'")
  }

  /// A backslash outside quotes begins a command for psql; `name` is the word behind it.
  static func psqlCommand(_ name: String, _ place: SQLPlace) -> SQLScriptError {
    let hint =
      switch name {
      case "i", "ir", "include", "include_relative": "put the text of that file here"
      case "copy":
        "write COPY ... FROM stdin; with the rows on the lines below it and \\. on a line after them"
      case "set", "unset", "gset", "prompt": "take the line out and write the value itself, or a placeholder"
      case "c", "connect": "take the line out: what runs this has chosen the database"
      case "g", "gx", "gexec", "gdesc", "crosstabview", "watch": "end the statement with a semicolon"
      case "if", "elif", "else", "endif": "decide in SQL, with DO or IF EXISTS"
      default: "take it out, or say the same in SQL"
      }
    return SQLScriptError(
      place: place, message: "\\\(name) is a command for psql, not SQL", hint: hint)
  }
}
