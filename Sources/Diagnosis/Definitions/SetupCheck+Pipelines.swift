import Definitions

extension SetupCheck {
  /// Whether every definition can be read, as `pipelines check` looks at them.
  static let pipelines = SetupCheck(
    "pipelines", .definitions,
    because: "a pipeline with a mistake loads nothing, and views of it stay as they are"
  ) { subject in
    do {
      let count = try subject.project().pipelines().count
      return [.ok("\(count) pipeline\(count == 1 ? "" : "s"), no mistake found")]
    } catch let error as DefinitionErrors {
      return error.errors.map { .error($0.description, fix: "rivulet pipelines check") }
    }
  }
}
