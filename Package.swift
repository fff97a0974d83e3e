// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target of the project is compiled with.
let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: house)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: house)
}

/// The readers with libFuzzer, which `make fuzz` builds by itself, or with random changes of its own, which
/// `make soak` builds.
let fuzzing: [Target] =
  Context.environment["RIVULET_FUZZING"].map { kind in
    [
      .executableTarget(
        name: "rivulet-fuzz", dependencies: ["Fuzzing", "Host"], path: "Tests/FuzzProgram",
        swiftSettings: house + (kind == "random" ? [.define("RANDOM")] : []))
    ]
  } ?? []

let package = Package(
  name: "rivulet",
  targets: [
    // C libraries, as Debian packages them.
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // What the engines are built from. None of them knows another but where it says so.
    library("Host"),
    library("Progress", ["Host"]),
    library("Values", ["CCrypto"]),
    library("Records", ["CLibArchive", "CLibXML2", "CZlib", "Values"]),
    library("Fetching", ["CLibCurl", "Host", "Progress", "Values"]),
    library("SQLText"),
    library("Definitions", ["CLibYAML", "Host", "SQLText", "Values"]),
    library("PostgreSQL", ["CLibPQ", "Host"]),
    library("Catalog", ["Host", "PostgreSQL"]),
    library("PipelineCore", ["Definitions", "Records", "Values"]),
    library("Store", ["Definitions", "Host", "PipelineCore", "PostgreSQL", "Records", "Values"]),

    // The engines. They do not know each other.
    library(
      "MigrationEngine",
      ["Catalog", "Definitions", "Host", "PostgreSQL", "Progress", "SQLText", "Values"]),
    library(
      "PipelineEngine",
      ["Definitions", "Host", "PipelineCore", "PostgreSQL", "Progress", "Records", "Store", "Values"]),
    library("ViewEngine", ["Catalog", "Definitions", "Host", "PostgreSQL", "Progress", "SQLText", "Values"]),
    library("Reporting", ["Progress", "Values"]),
    library("Pages", ["Reporting", "Values"]),
    library(
      "Describing", ["Definitions", "Pages", "PostgreSQL", "Reporting", "SQLText", "Store", "Values"]),
    library(
      "Diagnosis",
      [
        "CCrypto", "CLibArchive", "CLibCurl", "CLibPQ", "CLibXML2", "CLibYAML", "CZlib", "Catalog",
        "Definitions", "Host", "MigrationEngine", "PipelineEngine", "PostgreSQL", "Reporting", "SQLText",
        "Store", "ViewEngine",
      ]),
    library("Drafting", ["Definitions", "Records", "Values"]),
    library("Sampler", ["CLibArchive", "Definitions", "Host", "Progress", "Values"]),

    // What a cluster takes at scale, for the benchmark program and its tests.
    library("Scaling", ["Definitions", "Pages", "Reporting", "Values"]),

    // The program.
    .executableTarget(
      name: "rivulet",
      dependencies: [
        "Catalog", "Definitions", "Describing", "Diagnosis", "Drafting", "Fetching", "Host",
        "MigrationEngine", "Pages", "PipelineCore", "PipelineEngine", "PostgreSQL", "Progress", "Records",
        "Reporting", "Sampler", "Store", "Values", "ViewEngine",
      ], swiftSettings: house),
    .executableTarget(
      name: "rivulet-bench",
      dependencies: [
        "Definitions", "Host", "PostgreSQL", "Records", "Reporting", "Sampler", "Scaling", "Values",
      ], swiftSettings: house),

    // Tests, with a real server and the built program.
    .target(
      name: "TestSupport", dependencies: ["Definitions", "Host", "PostgreSQL", "Records", "Sampler"],
      path: "Tests/Support",
      swiftSettings: house),
    .target(
      name: "Fuzzing",
      dependencies: [
        "CZlib", "Definitions", "Drafting", "Fetching", "Host", "MigrationEngine", "PipelineCore",
        "PipelineEngine", "PostgreSQL", "Records", "SQLText", "Values", "ViewEngine",
      ],
      path: "Tests/Fuzzing", swiftSettings: house),
    tests("FuzzingTests", ["Fuzzing", "Host", "TestSupport"]),
    tests("ValuesTests", ["Records", "TestSupport", "Values"]),
    tests("RecordsTests", ["CLibArchive", "Records", "TestSupport", "Values"]),
    tests("DefinitionsTests", ["Definitions", "Records", "TestSupport", "Values"]),
    tests("DraftingTests", ["Definitions", "Drafting", "TestSupport"]),
    tests("PostgreSQLTests", ["Host", "PostgreSQL", "SQLText", "TestSupport"]),
    tests("ProgressTests", ["Progress"]),
    tests("HouseTests", []),
    tests("PipelineCoreTests", ["Definitions", "PipelineCore", "Records", "Values"]),
    tests("CatalogTests", ["Catalog", "PostgreSQL", "TestSupport"]),
    tests("ReportingTests", ["Progress", "Reporting", "Values"]),
    tests("PagesTests", ["Pages"]),
    tests("ScalingTests", ["Host", "Scaling", "TestSupport"]),
    tests("DescribingTests", ["Definitions", "Describing", "Pages", "TestSupport"]),
    tests("DiagnosisTests", ["Diagnosis", "PostgreSQL"]),
    tests(
      "ViewEngineTests",
      ["Catalog", "Definitions", "Host", "PostgreSQL", "Store", "TestSupport", "ViewEngine"]),
    tests("SQLTextTests", ["SQLText"]),
    tests(
      "MigrationEngineTests", ["Host", "MigrationEngine", "PostgreSQL", "SQLText", "TestSupport"],
      exclude: ["Zoo"]),
    tests("FetchingTests", ["Fetching", "Host", "TestSupport", "Values"]),
    tests("SamplerTests", ["CLibArchive", "Definitions", "Sampler", "TestSupport", "Values"]),
    tests(
      "EndToEnd",
      [
        "CLibPQ", "Definitions", "Describing", "Host", "PipelineCore", "PipelineEngine", "PostgreSQL",
        "Records", "Sampler", "TestSupport",
      ],
      exclude: ["Oracle", "Stories"]),
  ] + fuzzing
)
