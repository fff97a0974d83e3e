import Definitions
import Pages
import PipelineEngine
import Reporting

/// What a dataset's own definition says of it.
struct DatasetSection {
  let pipeline: Pipeline
  let answers: [(part: ReportPart, answer: ReportAnswer)]

  var section: PageSection {
    PageSection(
      pipeline.name, id: "dataset-\(pipeline.name)",
      [.text(pipeline.title + ".")]
        + answers.map { part, answer in
          .section(PageSection(part.title, id: "\(pipeline.name)-\(part.name)", blocks(part, answer)))
        })
  }

  private func blocks(_ part: ReportPart, _ answer: ReportAnswer) -> [PageBlock] {
    switch answer {
    case .absent:
      return [.note("Nothing loaded: the tables are not there. 'rivulet migrate up' makes them.", .neutral)]
    case .forbidden: return [.note("The role of this report may not read the tables.", .warning)]
    case .slow:
      return [.note("Left out: it takes longer than \(ReportQuery.mostSeconds) s.", .warning)]
    case .rows(let rows, let columns, let types, let count):
      guard count > 0 else { return [.note(part.ifEmpty, .neutral)] }
      let kinds = types.map(ColumnKind.init(typeNumber:))
      let shown = PartRows(part: part, columns: columns, kinds: kinds, rows: rows)
      let rest = count - rows.count
      return [.text(part.description)] + shown.blocks
        + (rest > 0 ? [.text("\(rest.grouped) more rows are left out.")] : [])
    }
  }
}
