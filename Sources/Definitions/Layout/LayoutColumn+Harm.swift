import Values

extension LayoutColumn {
  /// What harm a value would do that is not as asked, in words: those of the definition, else those of the rule
  /// that is the most certain to find it.
  public var harm: String {
    if let because { return because }
    if !words.isEmpty || !oneOf.isEmpty || !matches.isEmpty {
      return "nobody knows what another value stands for, or what to do with it"
    }
    if let width, !width.widths.isEmpty, oddForm == nil {
      return "of another width it is another code, or none"
    }
    return type.harmOfOthers
  }
}
