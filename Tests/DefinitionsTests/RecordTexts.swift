import Records
import TestSupport

/// The fields of a reader's next records.
func texts(of reader: inout RecordReader, atMost limit: Int = .max) throws -> [[String]] {
  var records: [[String]] = []
  while records.count < limit, try reader.next() {
    records.append(reader.texts)
  }
  return records
}
