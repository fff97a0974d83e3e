/// Of what a digest is, by which content is known again.
package enum ContentDigest: Sendable {
  /// Of the file on disk, which may be an archive.
  case file
  /// Of the bytes of an entry alone, however it is wrapped: in an archive, in another one, in a folder.
  case entry
}
