/// A value that a sentence of the server's may repeat, and what is put in its place.
struct HiddenValue {
  let value: String
  /// The placeholder as it is written: `${name}`.
  let name: String

  /// A sentence without the value, in the forms in which the server may say it: without the quotes that are two
  /// in a string, in letters of one case, and in parts where a quote has ended it.
  ///
  /// A value of three characters and fewer is a word of many sentences: it is hidden where it is in quotes.
  func hidden(in sentence: String) -> String {
    var sentence = sentence
    let plain = value.replacing("''", with: "'")
    for form in [value, plain] + [value, plain].flatMap({ [$0.lowercased(), $0.uppercased()] })
    where !form.isEmpty {
      if form.count > 3 {
        sentence = sentence.replacing(form, with: name)
      } else {
        for mark in ["\"", "'"] {
          sentence = sentence.replacing(mark + form + mark, with: mark + name + mark)
        }
      }
    }
    return hidingParts(of: sentence)
  }

  /// Words in quotes that are part of the value.
  private func hidingParts(of sentence: String) -> String {
    let parts = sentence.split(separator: "\"", omittingEmptySubsequences: false)
    let whole = value.lowercased()
    return parts.enumerated().map { index, part in
      let isQuoted = !index.isMultiple(of: 2) && index < parts.count - 1
      let word = part.hasSuffix("...") ? part.dropLast(3) : part
      let isPart = isQuoted && word.count > 1 && whole.count > 3 && whole.contains(word.lowercased())
      return isPart ? name[...] : part
    }.joined(separator: "\"")
  }
}
