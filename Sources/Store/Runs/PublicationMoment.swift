/// When something happens to the publications of a pipeline, in SQL.
///
/// What was published, hidden or refused last is asked by these moments. A clock that is set back must not
/// have what comes later look as if it had come before: then a moment follows the last one by a microsecond.
enum PublicationMoment {
  /// The moment now; after the end of each run of the pipeline too.
  ///
  /// `pipeline`: its name, as an expression.
  static func now(of pipeline: String) -> String {
    """
    greatest(clock_timestamp(), interval '1 microsecond' + greatest(\(last(of: pipeline)),
      (SELECT max(d.finished_at) FROM rivulet.run d WHERE d.pipeline = \(pipeline))))
    """
  }

  /// The last one that is recorded; null where there is none.
  static func last(of pipeline: String) -> String {
    """
    (SELECT max(greatest(m.published_at, m.undone_at)) FROM rivulet.publication m
      WHERE m.pipeline = \(pipeline))
    """
  }
}
