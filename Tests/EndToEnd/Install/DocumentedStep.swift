import Testing

/// A command of a page that a reader follows.
struct DocumentedStep {
  /// The heading of its section.
  let heading: String
  let text: String
  /// What the page says that it prints; nil in a block of `sh`.
  let step: Story.Step?

  /// The commands of a page, in their order: a line each in blocks of `sh`, and those of blocks of `console`.
  static func all(of page: String) throws -> [DocumentedStep] {
    let found = try #require(try DocumentationPage.all().first { $0.name == page }, "\(page) is missing")
    return found.blocks.flatMap { block -> [DocumentedStep] in
      block.kind == "console"
        ? Story.steps(of: block.lines.map { ($0.number, $0.text) })
          .map { DocumentedStep(heading: block.section, text: $0.command, step: $0) }
        : block.kind == "sh"
          ? block.lines.map { DocumentedStep(heading: block.section, text: $0.text, step: nil) } : []
    }
  }
}
