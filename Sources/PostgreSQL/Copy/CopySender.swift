import CLibPQ
import Host

/// Sends the rows of a COPY from a thread of its own, so that the thread that builds rows for several tables
/// does not wait for one of them while the server has nothing to do for the others.
///
/// Until ``end()`` the connection is that thread's.
final class CopySender: Sendable {
  private let full = Mailbox<CopyPiece?>()
  private let empty = Mailbox<Returned>()

  private struct Returned: Sendable {
    var piece: CopyPiece
    let isSent: Bool
  }

  /// Pieces that wait or are being sent, beside the one that is filled: half a megabyte.
  private static let pieces = 3

  /// Nil where the system has no more threads to give.
  init?(_ connection: OpaquePointer) {
    for _ in 0..<Self.pieces { empty.put(Returned(piece: CopyPiece(), isSent: true)) }
    nonisolated(unsafe) let handle = connection
    let (full, empty) = (full, empty)
    let isStarted = BackgroundThread.start {
      var isSound = true
      while let piece = full.take() {
        isSound = isSound && CopySender.send(piece, to: handle)
        empty.put(Returned(piece: piece, isSent: isSound))
      }
    }
    if !isStarted {
      _ = end()
      return nil
    }
  }

  /// Whether the server has taken it.
  static func send(_ piece: CopyPiece, to connection: OpaquePointer) -> Bool {
    let bytes = UnsafeRawPointer(piece.memory).assumingMemoryBound(to: CChar.self)
    return PQputCopyData(connection, bytes, Int32(piece.count)) == 1
  }

  /// Takes a full piece over and gives an empty one in its place; false where an earlier one could not be
  /// sent.
  func exchange(_ piece: inout CopyPiece) -> Bool {
    var next = empty.take()
    full.put(piece)
    next.piece.count = 0
    piece = next.piece
    return next.isSent
  }

  /// Waits until everything is sent, and ends the thread; false where something could not be sent. To be
  /// called once.
  func end() -> Bool {
    var isSent = true
    for _ in 0..<Self.pieces {
      let returned = empty.take()
      isSent = isSent && returned.isSent
      returned.piece.free()
    }
    full.put(nil)
    return isSent
  }
}
