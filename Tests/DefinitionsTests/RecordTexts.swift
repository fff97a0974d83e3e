import Records

/// The fields of a reader's next records.
func texts(of reader: inout RecordReader, atMost limit: Int = .max) throws -> [[String]] {
  var records: [[String]] = []
  while records.count < limit, try reader.next() {
    records.append(
      reader.withRecord { bytes, fields in
        fields.indices.map { index in
          bytes.extracting(fields[index].range).withUnsafeBufferPointer {
            String(decoding: $0, as: UTF8.self)
          }
        }
      })
  }
  return records
}
