import Foundation

/// The project that the tests are part of.
enum Checkout {
  /// The folder with `rivulet.yaml`.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
}
