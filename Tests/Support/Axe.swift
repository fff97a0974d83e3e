import Foundation

/// axe-core, the rules of accessibility that browsers' own tools use, as one script. `.ci/setup` brings it.
public enum Axe {
  /// Why pages cannot be held against it here; nil where they can.
  public static let missing: String? =
    FileManager.default.fileExists(atPath: path) ? nil : "axe-core is missing: run '.ci/setup'"

  private static let path: String = {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
    return cache + "/rivulet/axe-core/axe.min.js"
  }()

  /// What is wrong with the page that is open, by the rules of WCAG 2.2, levels A and AA, and those of good
  /// practice: a line each, with its weight, the rule, and the first place.
  /// - Throws: where the script cannot be read, or fails.
  public static func violations(in browser: Browser) throws -> [String] {
    try browser.evaluate(try String(contentsOfFile: path, encoding: .utf8) + ";0")
    let found = try browser.evaluate(
      """
      axe.run(document, {resultTypes: ['violations']}).then(result => result.violations.map(violation =>
        `${violation.impact}: ${violation.id}: ${violation.nodes.length} places, as ${violation.nodes[0].html.slice(0, 120)}`))
      """)
    return found as? [String] ?? ["axe-core gave no answer"]
  }
}
