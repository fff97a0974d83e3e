/// Which modules each module may import, lowest first. A module that is not here may not be added.
enum House {
  /// A row of the table.
  struct Module {
    /// Its name, which is its folder in `Sources` too.
    let name: String
    /// The modules of this package that it may import.
    let mayImport: Set<String>
    /// The modules of the toolchain that it may import.
    let system: Set<String>
  }

  static let modules: [Module] = [
    //                 may import
    row("Host", []),
    row("SQLText", []),
    row("Progress", ["Host"]),
    row("Values", ["CCrypto"]),
    row("Records", ["CLibArchive", "CLibXML2", "CZlib", "Values"]),
    row("PostgreSQL", ["CLibPQ", "Host"]),
    row("Catalog", ["Host", "PostgreSQL"]),
    row("Definitions", ["CLibYAML", "Host", "SQLText", "Values"]),

    // Decides, and acts through others: no server, no files, no threads.
    row("PipelineCore", ["Definitions", "Records", "Values"], system: []),
    row("Store", ["Definitions", "Host", "PipelineCore", "PostgreSQL", "Records", "Values"]),

    // Engines do not import each other.
    row(
      "PipelineEngine",
      [
        "Catalog", "Definitions", "Host", "PipelineCore", "PostgreSQL", "Progress", "Records", "SQLText",
        "Store", "Values",
      ]),
    row(
      "MigrationEngine",
      ["Catalog", "Definitions", "Host", "PostgreSQL", "Progress", "SQLText", "Store", "Values"]),
    row(
      "ViewEngine",
      ["Catalog", "Definitions", "Host", "PostgreSQL", "Progress", "SQLText", "Store", "Values"]),
    row("Reporting", ["PipelineCore", "Progress", "Store", "Values"]),
    row("Pages", ["Reporting", "Values"], system: []),
    row("Describing", ["Definitions", "Pages", "PostgreSQL", "Reporting", "SQLText", "Store", "Values"]),
    row("Drafting", ["Definitions", "Records", "Values"]),
    row("Sampler", ["CLibArchive", "Definitions", "Host", "Progress", "Values"]),
    row("Fetching", ["CLibCurl", "Host", "Progress", "Values"]),
    // Asks all engines what is wrong, and changes nothing.
    row(
      "Diagnosis",
      [
        "CCrypto", "CLibArchive", "CLibCurl", "CLibPQ", "CLibXML2", "CLibYAML", "CZlib", "Catalog",
        "Definitions", "Host", "MigrationEngine", "PipelineEngine", "PostgreSQL", "Reporting", "SQLText",
        "Store", "ViewEngine",
      ], system: []),

    // A model, computed from what was measured: values to text.
    row("Scaling", ["Definitions", "Pages", "Reporting", "Values"], system: ["Glibc"]),

    // The programs, which nobody imports.
    row("rivulet", swiftModules),
    row(
      "rivulet-bench",
      ["Definitions", "Host", "PostgreSQL", "Records", "Reporting", "Sampler", "Scaling", "Values"]),
  ]

  /// The imports of a module that the table forbids.
  static func forbidden(_ imports: Set<String>, in module: String) -> [String] {
    guard let row = modules.first(where: { $0.name == module }) else {
      return ["\(module) is not in the table of modules"]
    }
    return imports.subtracting(row.mayImport).subtracting(row.system).sorted()
      .map { "\(module) may not import \($0)" }
  }

  private static let swiftModules: Set<String> = [
    "Catalog", "Definitions", "Describing", "Diagnosis", "Drafting", "Fetching", "Host", "MigrationEngine",
    "Pages",
    "PipelineCore", "PipelineEngine", "PostgreSQL", "Progress", "Records", "Reporting", "SQLText", "Sampler",
    "Store", "Values", "ViewEngine",
  ]

  private static func row(
    _ name: String, _ mayImport: Set<String>, system: Set<String> = ["Dispatch", "Glibc", "Synchronization"]
  ) -> Module {
    Module(name: name, mayImport: mayImport, system: system)
  }
}
