extension String {
  /// Whether the bytes of another text are in it: what the library searches with takes many times as long, and
  /// every file of a folder is asked.
  func hasBytes(of mark: String) -> Bool {
    var (text, mark) = (self, mark)
    return text.withUTF8 { text in
      mark.withUTF8 { mark in
        guard let first = mark.first else { return true }
        var rest = text[...]
        while let place = rest.firstIndex(of: first) {
          if text[place...].starts(with: mark) { return true }
          rest = text[(place + 1)...]
        }
        return false
      }
    }
  }
}
