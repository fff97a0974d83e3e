import Definitions
import Drafting
import Values

/// Fields, patterns and whole samples.
extension FuzzedReader {
  static let others = [
    FuzzedReader("values", longest: 512, words: valueWords) { input, _ in
      let encoding = input.choice(of: TextEncoding.allCases)
      let name = input.line()
      guard let type = ValueType(name) else { return }
      let bytes = input.rest
      var scratch: [UInt8] = []
      for isElsewhere in [false, true] {
        let value =
          isElsewhere
          ? type.normaliseElsewhere(bytes.span, encoding: encoding, scratch: &scratch)
          : type.normalise(bytes.span, encoding: encoding, scratch: &scratch)
        if case .slice(let range) = value { _ = bytes[range] }
      }
      _ = (ScaledDecimal(bytes.span), PlainDecimal(type, in: nil)?.holds(bytes.span))
      _ = (OrganizationName.isOne(bytes.span), Placeholder.isMark(bytes.span), NPI.isValid(bytes.span))
      _ = CharacterPlaces(in: bytes.span).bytes(of: 2...3)
    },
    FuzzedReader("patterns", longest: 200, words: patternWords) { input, _ in
      let isGlob = input.choice(of: [false, true])
      let pattern = input.line()
      let text = input.text
      if isGlob {
        _ = Glob(pattern)?.matches(text)
      } else {
        _ = try TextPattern(pattern).groupCount
        _ = GroupTemplate(text).filled(["a", "b"])
      }
    },
    FuzzedReader("draft", longest: 2048, words: ["\"", ",", "\t", "\r\n", "NPI", "1234567893", "2025-01-31"])
    {
      input, folder in
      let name = input.choice(of: [
        "a.csv", "a.txt", "a.ndjson", "a.json", "a.xml", "a.csv.gz", "a.xlsx", "a.zip",
      ])
      let isZip = name == "a.xlsx" || name == "a.zip"
      let bytes =
        isZip ? StoredZip.make(name == "a.zip" ? [("b.csv", input.rest)] : parts(&input)) : input.rest
      let draft = try PipelineDraft(from: try folder.put(name, bytes))
      let files = draft.files.map { ($0.path, [UInt8]($0.text.utf8)) }
      try folder.put(files)
      // What is drafted has to be a pipeline.
      let loaded = Result { try Pipeline.load(folder.path + "/Pipelines/" + draft.name) }
      if case .failure(let error) = loaded { Fault.end("the draft is no pipeline: \(error)") }
    },
  ]

  private static let valueWords =
    ValueType.names.map { $0 + "\n" } + [
      "decimal(12,4)\n", "digits(5)\n", "date(MM/DD/YYYY)\n", "date(YYYYMMDD)\n", "name(last)\n",
      "name(first)\n", "name(credential)\n", "name(organization)\n", "title(suffix)\n", "json(array)\n",
      "json(object,-id)\n", "phone(ext)\n", "flag(NA)\n", "2025-01-31T12:00:00+01:00",
      "(555) 123-4567 x89", "+44 20 7946 0958", "Jr.", "M.D., Ph.D.", "O'NEIL-SMITH", "St. ", "von der ",
      "12345-6789", "1E-5", "\\u00e9", "N/A", "1.50",
    ]

  private static let patternWords = [
    "(", ")", "[", "]", "*", "+", "?", "{1,3}", "\\d", "\\w", "\\b", "^", "$", "|", "(?:", "(?<n>", "**",
    "/", "$1", "\\p{L}", "(?i)",
  ]
}
