public import PostgreSQL

extension ViewEngine {
  /// Refreshes views, each after those that it reads, telling of each when it is done.
  ///
  /// A view that fails, and those that read it, stay as they were; the others are refreshed.
  @discardableResult
  public func refresh(
    _ request: RefreshRequest, on connection: Connection, report: (ViewRefresh) -> Void = { _ in }
  ) throws -> [ViewRefresh] {
    []
  }
}
