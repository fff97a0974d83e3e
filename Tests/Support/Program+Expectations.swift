public import Testing

extension Program.Outcome {
  /// Itself, of a run that must have ended well: the test ends here where it has not.
  @discardableResult
  public func succeeded(at place: SourceLocation = #_sourceLocation) throws -> Self {
    try #require(status == 0, "\(errors)", sourceLocation: place)
    return self
  }

  /// Itself, of a run that must have ended with a code and have said why.
  @discardableResult
  public func failed(
    _ code: Int32, saying words: String..., at place: SourceLocation = #_sourceLocation
  ) -> Self {
    #expect(status == code, "\(errors)", sourceLocation: place)
    for word in words { #expect(errors.contains(word), "'\(word)': \(errors)", sourceLocation: place) }
    return self
  }
}
