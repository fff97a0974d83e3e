/// What is done with an XML document's elements and text, in their order.
///
/// A class to be inherited from, because C's callbacks know one pointer and no type.
class XMLEvents {
  /// Why the document is not read on; set by a subclass or by the parser.
  final var refusal: String?
  /// The parser that reports them.
  final weak var parser: XMLPushParser?

  /// An element begins.
  func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {}
  /// An element ends.
  func end(_ name: UnsafePointer<UInt8>) {}
  /// Some of the text between tags, in UTF-8.
  func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
}
