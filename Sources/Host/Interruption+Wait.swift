import Glibc

extension Interruption {
  /// Waits until a descriptor has something to read, or its other end is gone; false where that takes longer.
  /// Nothing runs meanwhile.
  /// - Parameters:
  ///   - descriptor: a socket or a pipe.
  ///   - seconds: how long to wait at most.
  /// - Returns: whether there is something to read, or an end.
  /// - Throws: ``Interrupted`` as soon as the program is asked to end.
  public func wait(forInput descriptor: Int32, seconds: Double) throws(Interrupted) -> Bool {
    var ends: [Int32] = [-1, -1]
    let isPiped = pipe(&ends) == 0
    for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let end = ends[1]
    let key = isPiped ? register { _ = write(end, [UInt8(0)], 1) } : nil
    defer {
      // An action at work has written by then.
      if let key { unregister(key) }
      for end in ends where end >= 0 { close(end) }
    }
    let deadline = Machine.seconds + seconds
    while true {
      try check()
      let left = deadline - Machine.seconds
      if left <= 0 { return false }
      // Without a pipe nothing would wake it.
      let pause = isPiped ? min(left, Self.longestPoll) : min(left, 0.1)
      var waiting = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waiting, 2, Int32((pause * 1000).rounded(.up))) > 0, waiting[0].revents != 0 { return true }
    }
  }

  /// So long the system is asked to wait at a time, in seconds.
  private static let longestPoll = 86_400.0
}
