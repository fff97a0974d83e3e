import Glibc
import Host
import Sampler

/// Reading the workbook of PPRRVU against python-calamine.
///
/// Ours is a process that reads it out of a zip, as a run does, start and end included; python-calamine is
/// given the workbook itself and measured without its start.
struct WorkbookFigure {
  let bundle: SourceBundle

  private static let memoryLimit = 64.0

  func measure(in workbench: Workbench) throws -> [Figure] {
    let calamine = try PythonModule("python_calamine", package: "python-calamine", in: workbench)
    let workbook = workbench.path("pprrvu.xlsx")
    let zip = workbench.path("pprrvu.zip")
    defer { for file in [workbook, zip] { unlink(file) } }
    try bundle.extractTable("xlsx", to: workbook)
    let writer = try ZipWriter(zip)
    try writer.beginEntry("pprrvu.xlsx")
    try writer.write(Files.read(workbook))
    try writer.finish()
    let rows = try RecordCount(of: workbook).records
    let runs = try workbench.compare(
      ours: { try workbench.parse(zip, expecting: rows) },
      yardstick: {
        try calamine.time(
          "count = sum(1 for row in "
            + "python_calamine.CalamineWorkbook.from_path(file).get_sheet_by_index(0).iter_rows())",
          file: workbook, expecting: rows)
      })
    return [
      Figure(
        FigureName.workbook.rawValue, ours: runs.ours.map(\.seconds),
        yardstick: runs.yardstick.map(\.seconds), limit: 1, details: [("rows", rows)]),
      Figure(
        FigureName.workbook.rawValue + "-memory", peaks: runs.ours.map(\.peakMemory),
        limit: WorkbookFigure.memoryLimit),
    ]
  }
}
