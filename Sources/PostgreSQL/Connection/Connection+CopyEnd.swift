import CLibPQ

extension Connection {
  /// Ends the COPY and gives the server's last word on it, the connection ready for the next statement.
  func finishCopy(failing reason: String?) -> OpaquePointer? {
    PQputCopyEnd(handle, reason)
    let answer = PQgetResult(handle)
    while let next = PQgetResult(handle) { PQclear(next) }
    return answer
  }
}
