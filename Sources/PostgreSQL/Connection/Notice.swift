import CLibPQ

/// A message that the server sends beside its answer: NOTICE, WARNING and the like.
public struct Notice: Sendable {
  /// `NOTICE`, `WARNING`, `INFO`, `LOG` or `DEBUG`.
  public let severity: String
  /// The five characters of SQLSTATE.
  public let sqlState: String
  /// The text.
  public let message: String
  /// DETAIL.
  public let detail: String?
  /// The function of the database that has raised it, as `function fill(integer) line 4`: its text may quote
  /// rows. Nil where it is the server's own, or that of a DO block, whose author words it for who runs it.
  public let raisedBy: String?
}

/// What libpq calls back for each notice; it lives as long as its connection.
final class NoticeReceiver {
  var handler: (Notice) -> Void = { _ in }

  func attach(to connection: OpaquePointer) {
    _ = PQsetNoticeReceiver(
      connection,
      { context, result in
        guard let context, let result else { return }
        let fields = DiagnosticFields(result)
        let notice = Notice(
          severity: fields[rivulet_diag_severity()] ?? "NOTICE",
          sqlState: fields[rivulet_diag_sqlstate()] ?? "",
          message: fields[rivulet_diag_message()] ?? "",
          detail: fields[rivulet_diag_detail()],
          raisedBy: ServerError(context: fields[rivulet_diag_context()]).codePlaces.first {
            !$0.hasPrefix("function inline_code_block ")
          })
        guard !notice.isOfCitusAboutLocalObjects else { return }
        Unmanaged<NoticeReceiver>.fromOpaque(context).takeUnretainedValue().handler(notice)
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

/// The fields of an error or notice in a libpq result.
struct DiagnosticFields {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { self.result = result }

  subscript(code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }

  func error(statement: String) -> ServerError {
    ServerError(
      severity: self[rivulet_diag_severity()] ?? "ERROR",
      sqlState: self[rivulet_diag_sqlstate()] ?? "",
      message: self[rivulet_diag_message()] ?? String(cString: PQresultErrorMessage(result)).trimmedLine,
      detail: self[rivulet_diag_detail()],
      hint: self[rivulet_diag_hint()],
      context: self[rivulet_diag_context()],
      position: self[rivulet_diag_position()].flatMap { Int($0) },
      internalQuery: self[rivulet_diag_internal_query()],
      internalPosition: self[rivulet_diag_internal_position()].flatMap { Int($0) },
      table: self[rivulet_diag_table()],
      column: self[rivulet_diag_column()],
      constraint: self[rivulet_diag_constraint()],
      statement: statement)
  }
}

extension String {
  /// libpq's messages without their final line end.
  var trimmedLine: String {
    var text = Substring(self)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
