import Catalog
import Definitions
import Host
import PipelineCore
import PipelineEngine
import PostgreSQL
import Reporting
import Values

/// The answer of one of the pipeline's queries for comparisons: a row for a group, so that it is kept whole.
struct DiffFigures {
  let query: QueryDefinition
  var columns: [(name: String, kind: ColumnKind)] = []
  var rows: [[String?]] = []
}
