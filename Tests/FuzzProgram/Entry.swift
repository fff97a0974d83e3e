#if !RANDOM

  /// What libFuzzer calls with each input.
  @c(LLVMFuzzerTestOneInput)
  public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzz.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  }

#endif
