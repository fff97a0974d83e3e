import Definitions

extension SetupCheck {
  /// Whether `rivulet.yaml` can be read.
  static let project = SetupCheck(
    "project", .definitions, because: "nothing can be loaded without its definitions"
  ) { subject in
    switch subject.openProject {
    case .success(let project): [.ok("project '\(project.name)' in \(project.folder)")]
    case .failure(let error):
      [.error(subject.explain(error).sentence, fix: subject.explain(error).hint ?? "rivulet pipelines check")]
    }
  }
}
