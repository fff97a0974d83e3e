import Definitions
import Values

/// The texts of a sample that follow from the release's name, such as its year and month.
struct ReleaseTexts {
  /// One text: a template of the name's groups, and what is written for what it makes; nil for nothing.
  struct Rule {
    let name: String
    let template: GroupTemplate
    var written: (String) -> String? = { $0 }
  }

  let pattern: TextPattern
  let standard: String
  let rules: [Rule]

  /// Of what is no release, so that nothing follows from its name.
  static var none: ReleaseTexts {
    get throws { ReleaseTexts(pattern: try TextPattern("EXPORT"), standard: "EXPORT", rules: []) }
  }

  /// The texts for a release.
  /// - Throws: ``SampleError/release(_:form:)`` when the name has another form.
  func texts(for release: String) throws(SampleError) -> [String: String] {
    let release = release.uppercased()
    guard let groups = pattern.groups(whole: release) else {
      throw .release(release, form: pattern.text)
    }
    var texts: [String: String] = [:]
    for rule in rules {
      guard let text = rule.written(rule.template.filled(groups)) else {
        throw .release(release, form: pattern.text)
      }
      texts[rule.name] = text
    }
    return texts
  }
}

/// A text with `{name}` where another one is put in; `{{` and `}}` mean braces.
struct TextTemplate {
  /// The text between the names, and the names: text, name, text, name, ..., text.
  let texts: [String]
  let names: [String]

  init(_ template: String) {
    var texts = [""]
    var names: [String] = []
    var rest = template[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      texts[texts.count - 1] += rest[..<open]
      // Two of them are one that means itself.
      let after = rest[rest.index(after: open)...]
      if after.first == rest[open] || rest[open] == "}" {
        texts[texts.count - 1].append(rest[open])
        rest = after.first == rest[open] ? after.dropFirst() : after
        continue
      }
      guard let close = after.firstIndex(of: "}") else {
        rest = rest[open...]
        break
      }
      names.append(String(rest[rest.index(after: open)..<close]))
      texts.append("")
      rest = rest[rest.index(after: close)...]
    }
    texts[texts.count - 1] += rest
    self.texts = texts
    self.names = names
  }

  /// The text with its names replaced; a name that is not known is left as it is written.
  func filled(_ values: [String: String]) -> String {
    var text = texts[0]
    for (index, name) in names.enumerated() {
      text += (values[name] ?? "{\(name)}") + texts[index + 1]
    }
    return text
  }
}
