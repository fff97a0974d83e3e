/// Where the values of a column come from in the files of one source: its fields, in some versions of the
/// source's layout.
public struct FieldOrigin: Sendable, Hashable {
  /// The dataset, by its pipeline's name.
  public let dataset: String
  /// The source's name in it.
  public let source: String
  /// What headers call the field, the layout's own wording first; of what repeats, that of each repetition.
  public let headers: [String]
  /// Where the field is in a record of fixed width, such as `1-5`, in characters from 1.
  public var places: [String]
  /// The paths to the field in tree-shaped records.
  public let paths: [String]
  /// Where the value is from, in words, where it is from no field.
  public let words: String?
  /// What the text of the field is, such as `decimal(8,2)`; nil where it is from no field.
  public let type: String?
  /// What is asked of the values, in words.
  public let rules: [String]
  /// The versions of the layout in which it is so, with the releases that they are for.
  public var versions: [String]

  /// The field in a few words: its header, else its path, else its place.
  public var shown: String {
    if let words { return words }
    if let first = headers.first { return first }
    if !paths.isEmpty { return paths.joined(separator: ", ") }
    return places.isEmpty ? "?" : "characters \(places.joined(separator: ", "))"
  }

  /// What else it is called, and where it is in other formats, in words; empty where there is nothing to say.
  public var also: String {
    var parts: [String] = []
    if headers.count > 1 { parts.append("also called \(headers.dropFirst().joined(separator: ", "))") }
    if !headers.isEmpty, !paths.isEmpty { parts.append("path \(paths.joined(separator: ", "))") }
    if !places.isEmpty, !headers.isEmpty || !paths.isEmpty {
      parts.append("characters \(places.joined(separator: ", "))")
    }
    return parts.joined(separator: "; ")
  }
}
