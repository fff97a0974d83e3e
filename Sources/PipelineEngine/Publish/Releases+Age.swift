import PostgreSQL

extension Releases {
  /// The current release of a pipeline and how many days ago the first day was on which it is in effect; nil where none is
  /// current. Of a release that is pinned and has no such day it is the day on which it was published.
  public func currentAge(of pipeline: String) throws -> (release: String, days: Int)? {
    try connection.query(
      """
      SELECT c.release, rivulet.today() - coalesce(c.effective_from, r.published_at::date)
      FROM rivulet.current_release c JOIN rivulet.release r USING (pipeline, release, revision)
      WHERE c.pipeline = $1
      """, [.text(pipeline)]
    ).first.map { (try $0.value(0), try $0.value(1)) }
  }
}
