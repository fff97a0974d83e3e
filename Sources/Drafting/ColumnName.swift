import Definitions

/// Names of columns, made of what a header calls them.
enum ColumnName {
  /// PostgreSQL's names have 63 bytes; some are left for a number behind.
  private static let limit = 56
  /// What the engine adds to every table.
  private static let taken: Set<String> = ["release", "source_file_id", "source_line", "slot"]

  /// A name for each header: lower case, words parted by underscores, none twice.
  static func names(of headers: [String]) -> [String] {
    var used = taken
    return headers.enumerated().map { index, header in
      let base = snakeCase(header, number: index + 1)
      var name = base
      var count = 1
      while !used.insert(name).inserted {
        count += 1
        name = "\(base)_\(count)"
      }
      return name
    }
  }

  /// `On-Call Phone #` and `onCallPhone` as `on_call_phone`.
  static func snakeCase(_ header: String, number: Int) -> String {
    var words: [String] = []
    var word = ""
    var last: Character = " "
    for character in header {
      if character.isASCII, character.isLetter || character.isNumber {
        // A capital begins a word, but not within NPI.
        if character.isUppercase, last.isLowercase || last.isNumber, !word.isEmpty {
          words.append(word)
          word = ""
        }
        word += character.lowercased()
      } else if !word.isEmpty {
        words.append(word)
        word = ""
      }
      last = character
    }
    if !word.isEmpty { words.append(word) }
    var name = words.joined(separator: "_")
    if name.first?.isNumber == true { name = "n_" + name }
    if name.utf8.count > limit { name = String(name.prefix(limit)) }
    while name.hasSuffix("_") { name.removeLast() }
    return name.isEmpty ? "column_\(number)" : name
  }

  /// A name for a pipeline from that of a file, its day left out: `Mercy On-Call 2025-11-20.csv` is
  /// `mercy-on-call`.
  static func pipelineName(ofFile file: String) -> String? {
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    var words = snakeCase(stem, number: 0).split(separator: "_").map(String.init)
    while let last = words.last, last.allSatisfy(\.isNumber) { words.removeLast() }
    while let first = words.first, first.allSatisfy(\.isNumber) || first == "n" { words.removeFirst() }
    let name = words.joined(separator: "-")
    return isPipelineName(name) ? name : nil
  }

  /// Whether a text can be a pipeline's name.
  static func isPipelineName(_ name: String) -> Bool {
    NameRule.kebab.allows(name) && name.utf8.count <= 60
  }
}
