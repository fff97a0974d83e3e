extension MigrationError {
  /// `Migrations/0007_x.sql:12:8:` and the sentence.
  var located: String {
    guard let place else { return description }
    let parts = [place.file, place.line.map(String.init), place.column.map(String.init)].compactMap(\.self)
    return parts.joined(separator: ":") + ": " + description
  }
}
