/// A failure whose document has been written to standard output already, with what had been done before it.
struct ReportedFailure: Error {
  let failure: Failure
}
