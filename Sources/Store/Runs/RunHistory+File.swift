public import Definitions
import PipelineCore
import PostgreSQL

/// What has become of a file, by its content.
public enum FileState: Sendable, Equatable {
  /// It is to be loaded: it never was with the pipeline's present definition, or that failed for reasons of
  /// its own.
  case new
  /// It is loaded, whatever became of its release since.
  case loaded(run: Int)
  /// It is loaded and checked, and somebody has to publish it.
  case staged(run: Int, release: String)
  /// It was refused, and would be again: nothing has changed since that it is judged by. The words quote
  /// nothing of the data.
  case refused(run: Int, reason: String)
}

extension RunHistory {
  /// What has become of a file with the present definition of a pipeline.
  ///
  /// A refusal holds until something was published or rolled back that rules compare with, or the schema or
  /// the program has changed. That of several files together is not held against one of them.
  ///
  /// `sha256`: of the file on disk.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func state(
    ofFile sha256: String, pipeline: Pipeline, programVersion: String
  ) throws -> FileState {
    let runs = try connection.query(
      """
      SELECT u.run, u.state, coalesce(u.release, ''), coalesce(u.error, ''), u.program_version = $4
          AND NOT EXISTS (SELECT FROM rivulet.migration m WHERE m.applied_at > u.finished_at)
          AND NOT EXISTS (SELECT FROM rivulet.publication p
            WHERE p.pipeline = u.pipeline AND greatest(p.published_at, p.undone_at) > u.finished_at)
          AND NOT EXISTS (SELECT FROM rivulet.merge g
            WHERE g.pipeline = u.pipeline AND g.merged_at > u.finished_at),
        EXISTS (SELECT FROM rivulet.release r WHERE r.run = u.run AND r.state = 'staged')
      FROM rivulet.run u
      WHERE u.pipeline = $1 AND u.definition_hash = $2 AND u.replays IS NULL
        AND u.state IN ('published', 'staged', 'merged', 'unchanged', 'refused')
        AND EXISTS (SELECT FROM rivulet.source_file f WHERE f.run = u.run AND f.file_sha256 = $3)
        AND (u.state <> 'refused'
          OR NOT EXISTS (SELECT FROM rivulet.source_file f WHERE f.run = u.run AND f.file_sha256 <> $3))
      ORDER BY u.state = 'refused', u.run DESC LIMIT 1
      """,
      [
        .text(pipeline.name), .text(pipeline.definitionHash), .text(sha256), .text(programVersion),
      ])
    guard let row = runs.first else { return .new }
    let run: Int = try row.value(0)
    switch RunState(rawValue: try row.value(1)) {
    case .refused:
      return try row.value(4) ? .refused(run: run, reason: try row.value(3)) : .new
    case .staged where try row.value(5): return .staged(run: run, release: try row.value(2))
    default: return .loaded(run: run)
    }
  }
}
