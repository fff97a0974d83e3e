import Host
import Synchronization
import Testing

@Suite("A map on several threads")
struct ThreadedMapTests {
  private struct Odd: Error, Equatable { let number: Int }

  @Test("gives the values in the order of the elements, whatever threads there are", arguments: [0, 1, 2, 9])
  func order(_ threads: Int) throws {
    let squares = try Array(0..<500).map(onThreads: threads) { number in
      if number.isMultiple(of: 50) { Machine.sleep(seconds: 0.002) }
      return number * number
    }
    #expect(squares == (0..<500).map { $0 * $0 })
    #expect(try [Int]().map(onThreads: threads) { $0 } == [])
  }

  @Test("works on as many elements at once as it has threads")
  func together() throws {
    // Each waits for the other: one thread alone would never end.
    let arrived = Mutex(0)
    let met = try [1, 2].map(onThreads: 2) { _ in
      arrived.withLock { $0 += 1 }
      let end = Machine.seconds + 120
      while arrived.withLock({ $0 }) < 2, Machine.seconds < end { Machine.sleep(seconds: 0.001) }
      return arrived.withLock { $0 }
    }
    #expect(met == [2, 2])
  }

  @Test("throws what the first element threw, and begins none after a failure")
  func failure() {
    let begun = Mutex(0)
    #expect(throws: Odd(number: 7)) {
      try Array(0..<1000).map(onThreads: 2) { number in
        begun.withLock { $0 += 1 }
        // The later one fails first.
        if number == 7 { Machine.sleep(seconds: 0.05) }
        if number == 7 || number == 8 { throw Odd(number: number) }
        return number
      }
    }
    // The second thread may come too late for the ninth.
    #expect(begun.withLock { $0 } <= 9)
  }
}
