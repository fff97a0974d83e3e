import Definitions

extension SampleFile {
  /// The file as quirks that are about its header, its columns and what is around its rows make it.
  func applying(_ quirks: Set<GeneralQuirk>, format: SampleFormat, pool: TextPool) -> SampleFile {
    var file = self
    if quirks.contains(.missingColumn), let last = file.columns.lastIndex(where: \.isRequired) {
      file.columns.remove(at: last)
    }
    if quirks.contains(.unknownColumn) {
      let value = Formula.constant(pool.number(of: "7"), .text)
      file.columns.insert(
        Column(name: "", header: ["NEWLY ADDED"], field: .formula(value, nil)),
        at: file.columns.count / 2)
    }
    if quirks.contains(.rewordedHeader) {
      for index in file.columns.indices {
        if let other = file.columns[index].otherHeaders.first { file.columns[index].header = other }
      }
    }
    if quirks.contains(.extraBanner) { file.addBanner() }
    if quirks.contains(.footnotes) {
      let notes = ["*  The first note is about a star.", "** The second one is about two."]
      file.after += notes.map { [TextTemplate($0)] }
      file.text.after += notes.map(TextTemplate.init)
    }
    if quirks.contains(.paddedLines) { file.text.length = file.text.greatestLength }
    return file
  }

  /// Adds lines above the header until there are ten.
  private mutating func addBanner() {
    for number in 1...10 where before.count < 10 {
      before.append([TextTemplate("Line \(number) that was put above the header")])
    }
    for number in 1...10 where text.before.count < 10 {
      text.before.append(TextTemplate("\(text.bannerMark ?? "") Line \(number) that was put above the rows"))
    }
  }
}
