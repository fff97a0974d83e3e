import Values

extension String {
  /// The text in one line of Markdown, in which no character means anything but itself.
  var markdownText: String {
    var output = ""
    for scalar in printable().unicodeScalars.map({ $0 == "\n" || $0 == "\t" ? " " : $0 }) {
      if "\\`*_{}[]<>#|~!&".unicodeScalars.contains(scalar) { output += "\\" }
      output.unicodeScalars.append(scalar)
    }
    return output
  }
}
